/**
 * The crops of Kenya that farmers grow for food or for sale.
 *
 * Sources: scientific names, FAO EcoCrop, brought up to date where the accepted name has changed (tomato, tree tomato,
 * dragon fruit, pyrethrum) or EcoCrop has none (thorn melon), https://powo.science.kew.org; jute mallow and slender leaf,
 * https://www.agcenture.com/2020/02/06/best-african-leafy-vegetables-to-grow/. Regions, Kenya National Bureau of
 * Statistics, 2019 census, volume IV, tables 2.21 and 2.22, after Shelmith-Kariuki/rKenyaCensus (MIT): the five counties
 * with most households growing the crop, most first. Seasons, varieties, altitudes and the regions of pyrethrum have
 * their source beside them; what has none is null. Category and sub-category are a judgement. An id, once given, stays
 * with its crop.
 */
import type { CropRecord } from "../../../domain/records.ts";

/**
 * For crops whose varieties are mostly sown with both rains: MbeguChoice, the seed database of KALRO, KEPHIS and the seed
 * companies, https://github.com/elric-olalekan/mbeguchoiceapp. The months of the rains:
 * https://www.topcalculator.co.ke/kenya-agricultural-calendar
 */
const bothRains = "Long rains (March to May) and short rains (October to December)";

/** In order of id, by category. */
export const crops: readonly CropRecord[] = [
  // Food Crops
  crop(1, "Maize", "Zea mays", "Food Crops", "Cereals", {
    // Planting: https://www.topcalculator.co.ke/kenya-agricultural-calendar
    // Harvest: https://www.fao.org/4/w5747e/pays/ken9706e.htm
    growingSeason:
      "Long rains (planted March to April, main harvest from October) and short rains (planted October to November)",
    regions: ["Kakamega", "Bungoma", "Nakuru", "Meru", "Machakos"],
  }),
  crop(2, "Wheat", "Triticum aestivum", "Food Crops", "Cereals", {
    regions: ["Narok", "Uasin Gishu", "Bungoma", "Meru", "Nyamira"],
  }),
  crop(3, "Rice", "Oryza sativa", "Food Crops", "Cereals", {
    regions: ["Kirinyaga", "Kisumu", "Kwale", "Kilifi", "Busia"],
  }),
  crop(4, "Sorghum", "Sorghum bicolor", "Food Crops", "Cereals", {
    growingSeason: bothRains,
    regions: ["Siaya", "Kitui", "Homa Bay", "Kisumu", "Busia"],
  }),
  // The census counts the millets together, so neither has regions of its own.
  crop(5, "Finger millet", "Eleusine coracana", "Food Crops", "Cereals"),
  crop(6, "Pearl millet", "Pennisetum glaucum", "Food Crops", "Cereals"),
  crop(7, "Common bean", "Phaseolus vulgaris", "Food Crops", "Legumes", {
    growingSeason: bothRains,
    regions: ["Kakamega", "Bungoma", "Machakos", "Meru", "Murang'a"],
  }),
  crop(8, "Cowpea", "Vigna unguiculata", "Food Crops", "Legumes", { growingSeason: bothRains }),
  crop(9, "Green gram", "Vigna radiata", "Food Crops", "Legumes", {
    growingSeason: bothRains,
    regions: ["Kitui", "Makueni", "Machakos", "Embu", "Kilifi"],
  }),
  crop(10, "Pigeon pea", "Cajanus cajan", "Food Crops", "Legumes"),
  crop(11, "Dolichos bean", "Lablab purpureus", "Food Crops", "Legumes"),
  crop(12, "Chickpea", "Cicer arietinum", "Food Crops", "Legumes"),
  crop(13, "Soya bean", "Glycine max", "Food Crops", "Legumes"),
  crop(14, "Lentil", "Lens culinaris", "Food Crops", "Legumes"),
  crop(15, "Bambara nut", "Vigna subterranea", "Food Crops", "Legumes"),
  crop(16, "Groundnut", "Arachis hypogaea", "Food Crops", "Oil Crops", {
    regions: ["Kakamega", "Bungoma", "Homa Bay", "Busia", "Siaya"],
  }),
  crop(17, "Irish potato", "Solanum tuberosum", "Food Crops", "Roots and Tubers", {
    growingSeason: bothRains,
    regions: ["Nakuru", "Nyandarua", "Nyeri", "Kiambu", "Murang'a"],
  }),
  crop(18, "Sweet potato", "Ipomoea batatas", "Food Crops", "Roots and Tubers", {
    regions: ["Kakamega", "Bungoma", "Siaya", "Busia", "Migori"],
  }),
  crop(19, "Cassava", "Manihot esculenta", "Food Crops", "Roots and Tubers", {
    regions: ["Kakamega", "Bungoma", "Busia", "Migori", "Machakos"],
  }),
  crop(20, "Arrowroot (taro)", "Colocasia esculenta", "Food Crops", "Roots and Tubers"),
  crop(21, "Yam", "Dioscorea cayenensis", "Food Crops", "Roots and Tubers"),
  // Horticulture
  crop(22, "French bean", "Phaseolus vulgaris", "Horticulture", "Vegetables"),
  crop(23, "Garden pea", "Pisum sativum", "Horticulture", "Vegetables"),
  crop(24, "Tomato", "Solanum lycopersicum", "Horticulture", "Vegetables", {
    // To Monset F1: http://www.hcda.or.ke/tech/fruit_details.php?cat_id=77
    // Rio Grande: https://affluentfarmers.co.ke/tomato-farming/
    // Kilele, Tylka: http://farmbizafrica.com/profit-boosters/new-tomato-breeds-released-for-outdoors-and-greenhouses
    varieties: [
      "Money Maker",
      "Marglobe",
      "Marmande",
      "Onyx",
      "Eden F1",
      "Roma VF",
      "Cal J",
      "M-82",
      "Anna F1",
      "Monyala F1",
      "Monset F1",
      "Rio Grande",
      "Kilele F1",
      "Tylka F1",
    ],
    regions: ["Bomet", "Bungoma", "Kiambu", "Narok", "Kakamega"],
  }),
  crop(25, "Bulb onion", "Allium cepa", "Horticulture", "Vegetables", {
    regions: ["Nakuru", "Narok", "Bomet", "Kisii", "Nyandarua"],
  }),
  crop(26, "Spring onion", "Allium cepa", "Horticulture", "Vegetables"),
  crop(27, "Cabbage", "Brassica oleracea var. capitata", "Horticulture", "Leafy Vegetables", {
    // http://www.hcda.or.ke/tech/fruit_details.php?cat_id=91
    varieties: ["Sugar Loaf", "Gloria F1", "Copenhagen Market"],
    regions: ["Nyandarua", "Nyeri", "Nakuru", "Kiambu", "Murang'a"],
  }),
  crop(28, "Kale (sukuma wiki)", "Brassica oleracea var. acephala", "Horticulture", "Leafy Vegetables", {
    regions: ["Kakamega", "Kisii", "Nakuru", "Kiambu", "Bungoma"],
  }),
  crop(29, "Ethiopian kale", "Brassica carinata", "Horticulture", "Leafy Vegetables"),
  crop(30, "Cauliflower", "Brassica oleracea var. botrytis", "Horticulture", "Vegetables"),
  crop(31, "Broccoli", "Brassica oleracea var. italica", "Horticulture", "Vegetables"),
  crop(32, "Spinach (Swiss chard)", "Beta vulgaris var. cicla", "Horticulture", "Leafy Vegetables"),
  crop(33, "Carrot", "Daucus carota", "Horticulture", "Vegetables"),
  crop(34, "Capsicum (sweet pepper)", "Capsicum annuum", "Horticulture", "Vegetables"),
  crop(35, "Chilli", "Capsicum frutescens", "Horticulture", "Vegetables"),
  crop(36, "Eggplant", "Solanum melongena", "Horticulture", "Vegetables"),
  crop(37, "Cucumber", "Cucumis sativus", "Horticulture", "Vegetables"),
  crop(38, "Courgette", "Cucurbita pepo", "Horticulture", "Vegetables"),
  crop(39, "Butternut squash", "Cucurbita moschata", "Horticulture", "Vegetables"),
  crop(40, "Pumpkin", "Cucurbita maxima", "Horticulture", "Vegetables"),
  crop(41, "Okra", "Abelmoschus esculentus", "Horticulture", "Vegetables"),
  crop(42, "Lettuce", "Lactuca sativa", "Horticulture", "Leafy Vegetables"),
  crop(43, "Amaranth (terere)", "Amaranthus dubius", "Horticulture", "Leafy Vegetables"),
  crop(44, "Black nightshade (managu)", "Solanum nigrum", "Horticulture", "Leafy Vegetables"),
  crop(45, "Spider plant (saga)", "Gynandropsis gynandra", "Horticulture", "Leafy Vegetables"),
  crop(46, "Jute mallow (murenda)", "Corchorus olitorius", "Horticulture", "Leafy Vegetables"),
  crop(47, "Slender leaf (mitoo)", "Crotalaria ochroleuca", "Horticulture", "Leafy Vegetables"),
  crop(48, "Vine spinach (nderema)", "Basella alba", "Horticulture", "Leafy Vegetables"),
  crop(49, "Coriander", "Coriandrum sativum", "Horticulture", "Herbs and Spices"),
  crop(50, "Garlic", "Allium sativum", "Horticulture", "Herbs and Spices"),
  crop(51, "Ginger", "Zingiber officinale", "Horticulture", "Herbs and Spices"),
  crop(52, "Watermelon", "Citrullus lanatus", "Horticulture", "Fruits", {
    regions: ["Kitui", "Makueni", "Machakos", "Kilifi", "Kwale"],
  }),
  crop(53, "Avocado", "Persea americana", "Horticulture", "Fruits", {
    // https://agcenture.com/2023/05/09/avocado-varieties-in-kenya without Keitt, which is a mango
    varieties: [
      "Hass",
      "Fuerte",
      "Pinkerton",
      "Reed",
      "Puebla",
      "Nabal",
      "Booth 8",
      "Simmonds",
      "Tonnage",
      "Ettinger",
      "Hayes",
    ],
    // https://theorganicfarmer.org/the-green-gold-rush-farmers-minting-millions-from-hass-avocados
    altitude: "800 to 2,100 m",
    regions: ["Kisii", "Bungoma", "Kakamega", "Murang'a", "Machakos"],
  }),
  crop(54, "Mango", "Mangifera indica", "Horticulture", "Fruits", {
    // https://beta.nation.co.ke/kenya/news/explainers/explainer-why-some-mango-varieties-are-more-popular-than-others-4516482
    varieties: [
      "Apple",
      "Ngowe",
      "Boribo",
      "Dodo",
      "Batawi",
      "Tommy Atkins",
      "Van Dyke",
      "Alphonso",
      "Kent",
      "Haden",
      "Sensation",
      "Keitt",
    ],
    // https://avoveg.com/mangoes/
    growingSeason: "The Apple variety ripens from November to January",
    regions: ["Machakos", "Makueni", "Bungoma", "Kakamega", "Siaya"],
  }),
  crop(55, "Banana", "Musa spp.", "Horticulture", "Fruits", {
    regions: ["Kakamega", "Bungoma", "Kisii", "Murang'a", "Meru"],
  }),
  crop(56, "Pineapple", "Ananas comosus", "Horticulture", "Fruits"),
  crop(57, "Pawpaw", "Carica papaya", "Horticulture", "Fruits"),
  crop(58, "Passion fruit", "Passiflora edulis", "Horticulture", "Fruits"),
  crop(59, "Orange", "Citrus sinensis", "Horticulture", "Fruits", {
    regions: ["Makueni", "Machakos", "Kwale", "Kitui", "Homa Bay"],
  }),
  crop(60, "Lemon", "Citrus limon", "Horticulture", "Fruits"),
  crop(61, "Lime", "Citrus × aurantiifolia", "Horticulture", "Fruits"),
  crop(62, "Tangerine", "Citrus reticulata", "Horticulture", "Fruits"),
  crop(63, "Tree tomato", "Solanum betaceum", "Horticulture", "Fruits"),
  crop(64, "Apple", "Malus domestica", "Horticulture", "Fruits"),
  crop(65, "Grape", "Vitis vinifera", "Horticulture", "Fruits"),
  crop(66, "Pepino melon", "Solanum muricatum", "Horticulture", "Fruits"),
  crop(67, "Thorn melon (kiwano)", "Cucumis metuliferus", "Horticulture", "Fruits"),
  crop(68, "Dragon fruit", "Selenicereus undatus", "Horticulture", "Fruits"),
  crop(69, "Strawberry", "Fragaria × ananassa", "Horticulture", "Fruits"),
  // Cash Crops
  crop(70, "Barley", "Hordeum vulgare", "Cash Crops", "Cereals"),
  crop(71, "Coconut", "Cocos nucifera", "Cash Crops", "Nuts", {
    regions: ["Kilifi", "Kwale", "Lamu", "Taita-Taveta", "Tana River"],
  }),
  crop(72, "Cashew nut", "Anacardium occidentale", "Cash Crops", "Nuts", {
    regions: ["Kilifi", "Kwale", "Lamu", "Tana River", "Mombasa"],
  }),
  crop(73, "Macadamia", "Macadamia integrifolia", "Cash Crops", "Nuts", {
    regions: ["Murang'a", "Meru", "Kirinyaga", "Embu", "Nyeri"],
  }),
  crop(74, "Tea", "Camellia sinensis", "Cash Crops", "Beverage Crops", {
    // https://www.standardmedia.co.ke/article/2001442061/new-tea-clones-promise-farmers-better-returns
    varieties: ["TRFK 31/8", "TRFK 597/1", "TRFK 704/2", "EPK TN14-3", "KTRI 895/17", "KTRI 924/11"],
    // https://standardmedia.co.ke/research/article/2001429246/what-makes-tea-from-kenya-great
    growingSeason: "All year round",
    altitude: "1,500 to 2,700 m",
    regions: ["Kisii", "Nyamira", "Kericho", "Bomet", "Murang'a"],
  }),
  crop(75, "Coffee (arabica)", "Coffea arabica", "Cash Crops", "Beverage Crops", {
    // https://www.trabocca.com/coffee-knowledge/origin/kenyan-coffee-varieties-a-comprehensive-overview-of-the-top-varieties/
    varieties: ["SL28", "SL34", "K7", "Ruiru 11", "Batian"],
    regions: ["Murang'a", "Nyeri", "Kisii", "Kirinyaga", "Bungoma"],
  }),
  crop(76, "Coffee (robusta)", "Coffea canephora", "Cash Crops", "Beverage Crops"),
  crop(77, "Sugarcane", "Saccharum officinarum", "Cash Crops", "Sugar Crops", {
    regions: ["Kakamega", "Bungoma", "Bomet", "Migori", "Kisii"],
  }),
  crop(78, "Cotton", "Gossypium hirsutum", "Cash Crops", "Fibre Crops", {
    regions: ["Homa Bay", "Siaya", "Kitui", "Meru", "Kisumu"],
  }),
  crop(79, "Sunflower", "Helianthus annuus", "Cash Crops", "Oil Crops"),
  crop(80, "Sesame (simsim)", "Sesamum indicum", "Cash Crops", "Oil Crops"),
  crop(81, "Pyrethrum", "Tanacetum cinerariifolium", "Cash Crops", "Insecticide Crops", {
    // https://genmiles.com/pyrethrum-farming-in-kenya/
    growingSeason: "Picked for about ten months of the year",
    // Altitude and regions: https://poicd.agricultureauthority.go.ke/overview/
    altitude: "1,700 to 2,900 m",
    regions: [
      "Nakuru",
      "Nyandarua",
      "Nyeri",
      "Kiambu",
      "Trans Nzoia",
      "Uasin Gishu",
      "Elgeyo-Marakwet",
      "West Pokot",
      "Nandi",
      "Baringo",
      "Laikipia",
      "Narok",
      "Kericho",
      "Bomet",
      "Kisii",
      "Nyamira",
      "Bungoma",
      "Meru",
    ],
  }),
  crop(82, "Sisal", "Agave sisalana", "Cash Crops", "Fibre Crops"),
  crop(83, "Tobacco", "Nicotiana tabacum", "Cash Crops", "Stimulant Crops"),
  crop(84, "Khat (miraa)", "Catha edulis", "Cash Crops", "Stimulant Crops", {
    regions: ["Meru", "Embu", "Tharaka-Nithi", "Kirinyaga"],
  }),
  crop(85, "Castor", "Ricinus communis", "Cash Crops", "Oil Crops"),
];

interface CropFacts {
  readonly varieties?: readonly string[];
  readonly growingSeason?: string;
  readonly altitude?: string;
  readonly regions?: readonly string[];
}

function crop(
  id: number,
  name: string,
  scientificName: string | null,
  category: CropRecord["category"],
  subCategory: string,
  facts: CropFacts = {},
): CropRecord {
  const { altitude } = facts;
  return {
    id,
    name,
    scientificName,
    category,
    subCategory,
    varieties: facts.varieties ?? null,
    growingSeason: facts.growingSeason ?? null,
    maturityPeriod: null,
    climateRequirements: altitude === undefined ? null : { altitude, rainfall: null, temperature: null },
    majorGrowingRegions: facts.regions ?? null,
  };
}
