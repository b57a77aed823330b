/** What is traded in a sample. Levels of prices are plausible, not measured. */
export interface Goods {
  readonly name: string;
  readonly swahiliName: string;
  readonly category: string;
  readonly subCategory: string | null;
  /** See trades.ts. */
  readonly trade: string;
  /** Kenya shillings for one base unit at the beginning of a sample. */
  readonly shillings: number;
  /** See pricing/price-levels.ts. */
  readonly season: string;
}

/** name | Swahili | sub-category ("-" for none) | trade | shillings | season, below the name of the category */
const lines = `
# Cereals and Tubers
Maize (white) | Mahindi meupe | Cereals | grain | 32 | grain
Maize (yellow) | Mahindi ya manjano | Cereals | bags | 30 | grain
Green maize | Mahindi mabichi | Cereals | pieces | 12 | grain
Maize flour | Unga wa mahindi | Flour | flour | 52 | steady
Rice (Pishori) | Mchele wa Pishori | Cereals | grain | 130 | steady
Rice (imported) | Mchele wa nje | Cereals | flour | 95 | steady
Wheat | Ngano | Cereals | bags | 38 | grain
Wheat flour | Unga wa ngano | Flour | flour | 62 | steady
Sorghum (red) | Mtama mwekundu | Cereals | grain | 42 | grain
Sorghum (white) | Mtama mweupe | Cereals | grain | 45 | grain
Finger millet | Wimbi | Cereals | grain | 85 | grain
Pearl millet | Mawele | Cereals | grain | 70 | grain
Barley | Shayiri | Cereals | bags | 35 | grain
Potatoes (Irish) | Viazi | Roots and Tubers | tubers | 34 | vegetable
Potatoes (red) | Viazi vyekundu | Roots and Tubers | tubers | 38 | vegetable
Sweet potatoes | Viazi vitamu | Roots and Tubers | tubers | 36 | vegetable
Cassava | Mihogo | Roots and Tubers | tubers | 30 | steady
Arrowroot | Nduma | Roots and Tubers | tubers | 70 | steady
Yams | Viazi vikuu | Roots and Tubers | kilo | 60 | -
# Pulses and Nuts
Beans (Rosecoco) | Maharagwe | Beans | grain | 88 | pulse
Beans (Nyayo) | Maharagwe ya Nyayo | Beans | grain | 82 | pulse
Beans (Mwitemania) | Maharagwe ya Mwitemania | Beans | grain | 78 | pulse
Beans (yellow) | Maharagwe ya manjano | Beans | bags | 96 | pulse
Black dolichos | Njahi | Beans | bags | 105 | pulse
Cowpeas | Kunde | Peas and Grams | grain | 80 | pulse
Green grams | Ndengu | Peas and Grams | grain | 98 | pulse
Pigeon peas | Mbaazi | Peas and Grams | grain | 76 | pulse
Chickpeas | Dengu | Peas and Grams | grain | 90 | pulse
Green peas | Njegere | Peas and Grams | tubers | 70 | pulse
Lentils | Adesi | Peas and Grams | kilo | 120 | pulse
Groundnuts | Njugu karanga | Nuts | grain | 140 | pulse
Bambara nuts | Njugu mawe | Nuts | kilo | 150 | pulse
Cashew nuts | Korosho | Nuts | kilo | 260 | fruit
Macadamia nuts | Makadamia | Nuts | kilo | 90 | fruit
Soya beans | Soya | Beans | bags | 62 | pulse
Simsim | Ufuta | - | grain | 160 | pulse
# Vegetables
Kale | Sukuma wiki | Leafy Vegetables | leaves | 25 | vegetable
Spinach | Spinachi | Leafy Vegetables | leaves | 28 | vegetable
Amaranth | Mchicha | Leafy Vegetables | leaves | 30 | vegetable
Black nightshade | Managu | Leafy Vegetables | leaves | 34 | vegetable
Spider plant | Mgagani | Leafy Vegetables | leaves | 36 | vegetable
Cowpea leaves | Majani ya kunde | Leafy Vegetables | leaves | 33 | vegetable
Coriander | Dania | Herbs | sheaves | 140 | vegetable
Cabbage | Kabichi | Leafy Vegetables | heads | 18 | vegetable
Cauliflower | Koliflawa | Leafy Vegetables | heads | 55 | vegetable
Lettuce | Saladi | Leafy Vegetables | heads | 60 | vegetable
Tomatoes | Nyanya | Fruit Vegetables | crates | 52 | vegetable
Onions (red) | Vitunguu | Bulbs and Roots | nets | 58 | pulse
Spring onions | Vitunguu vya majani | Bulbs and Roots | leaves | 44 | vegetable
Carrots | Karoti | Bulbs and Roots | tubers | 40 | vegetable
Beetroot | Viazisukari | Bulbs and Roots | tubers | 48 | vegetable
Capsicum | Pilipili hoho | Fruit Vegetables | kilo | 65 | vegetable
Jalapeño peppers | Pilipili kali | Fruit Vegetables | kilo | 110 | vegetable
Chillies | Pilipili | Fruit Vegetables | kilo | 85 | vegetable
Brinjals | Biringanya | Fruit Vegetables | kilo | 40 | vegetable
Courgettes | Mumunye | Fruit Vegetables | kilo | 45 | vegetable
Cucumbers | Matango | Fruit Vegetables | pieces | 15 | vegetable
Okra | Bamia | Fruit Vegetables | kilo | 62 | vegetable
French beans | Mishiri | - | kilo | 75 | vegetable
Pumpkins | Maboga | Fruit Vegetables | pieces | 80 | vegetable
Garlic | Kitunguu saumu | Bulbs and Roots | kilo | 190 | steady
Ginger | Tangawizi | Bulbs and Roots | kilo | 120 | steady
# Fruits
Bananas (cooking) | Matoke | Bananas | bananas | 6 | fruit
Bananas (ripe) | Ndizi | Bananas | bananas | 7 | fruit
Oranges | Machungwa | Citrus | pieces | 8 | fruit
Lemons | Ndimu | Citrus | pieces | 6 | fruit
Mangoes (Apple) | Maembe | - | pieces | 16 | fruit
Mangoes (Ngowe) | Maembe ya Ngowe | - | pieces | 14 | fruit
Avocados (Hass) | Parachichi | - | pieces | 12 | fruit
Pawpaws | Mapapai | - | pieces | 45 | fruit
Pineapples | Mananasi | - | pieces | 62 | fruit
Watermelons | Matikiti maji | - | kilo | 26 | fruit
Passion fruit | Karakara | - | kilo | 90 | fruit
Guavas | Mapera | - | kilo | 50 | fruit
Tree tomatoes | Matunda damu | - | kilo | 85 | fruit
Coconuts | Nazi | - | pieces | 22 | steady
# Livestock, Milk and Fish
Cow milk (raw) | Maziwa ya ng'ombe | Milk and Eggs | milk | 48 | dry
Camel milk | Maziwa ya ngamia | Milk and Eggs | milk | 80 | dry
Eggs | Mayai | Milk and Eggs | eggs | 11 | steady
Beef | Nyama ya ng'ombe | Meat | kilo | 380 | dry
Goat meat | Nyama ya mbuzi | Meat | kilo | 440 | dry
Chicken (kienyeji) | Kuku wa kienyeji | Live Animals | animals | 560 | steady
Goats | Mbuzi | Live Animals | animals | 5200 | dry
Sheep | Kondoo | Live Animals | animals | 4600 | dry
Bulls | Mafahali | Live Animals | animals | 38000 | dry
Tilapia | Ngege | Fish | kilo | 320 | dry
Nile perch | Sangara | Fish | kilo | 290 | dry
Omena | Dagaa | Fish | grain | 210 | dry
Honey | Asali | - | oil | 420 | steady
# Oils, Sugar and Spices
Cooking oil | Mafuta ya kupikia | Oils | oil | 150 | steady
Sunflower seed | Alizeti | Oils | bags | 46 | pulse
Sugar | Sukari | - | flour | 105 | steady
Sugarcane | Miwa | - | bulk | 4 | steady
Salt | Chumvi | - | kilo | 28 | -
Cardamom | Iliki | Spices | spice | 2800 | steady
Black pepper | Pilipili manga | Spices | spice | 1100 | steady
Turmeric | Manjano | Spices | spice | 600 | steady
Vanilla | Vanila | Spices | spice | 17000 | -
# Cash Crops
Tea (made) | Majani ya chai | Beverages | kilo | 240 | steady
Coffee (parchment) | Kahawa | Beverages | flour | 210 | steady
Cotton (seed) | Pamba | Fibres | bulk | 42 | grain
Miraa | Miraa | - | sheaves | 620 | dry
`;

/** In an order that mixes the categories, so that a small sample has something of each; maize comes first. */
export const goods: readonly Goods[] = inMixedOrder(readLines());

function readLines(): Goods[] {
  let category = "";
  return lines
    .trim()
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("# ")) {
        category = line.slice(2);
        return [];
      }
      const [name = "", swahiliName = "", subCategory = "", trade = "", shillings, season = ""] = line.split(" | ");
      return {
        name,
        swahiliName,
        category,
        subCategory: subCategory === "-" ? null : subCategory,
        trade,
        shillings: Number(shillings),
        season: season === "-" ? "steady" : season,
      };
    });
}

/** Steps through a list by a number that shares no factor with its length, so that every place is met once. */
function inMixedOrder<T>(list: readonly T[]): T[] {
  let step = Math.floor(list.length / 3);
  while (commonDivisor(step, list.length) !== 1) step++;
  return list.map((_, index) => list[(index * step) % list.length] as T);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
