import type { CropRecord } from "../../domain/records.ts";
import { type CropCategory, cropCategories } from "../../domain/vocabulary.ts";

/**
 * name | botanical name | category (C, F, H) | sub-category | season | maturity | altitude | regions; "-" is unknown
 */
const lines = `
Maize | Zea mays | F | Cereals | Long rains (March-May) | 90-180 days | 0-2200 m | Trans Nzoia, Uasin Gishu, Bungoma
Wheat | Triticum aestivum | F | Cereals | Long rains (March-May) | 120-150 days | 1500-2900 m | Narok, Nakuru
Rice | Oryza sativa | F | Cereals | All year under irrigation | 120-150 days | 0-1700 m | Kirinyaga, Kisumu
Sorghum | Sorghum bicolor | F | Cereals | Short rains (October-December) | 90-130 days | 500-1700 m | Kitui, Siaya, Busia
Finger millet | Eleusine coracana | F | Cereals | Long rains (March-May) | 100-130 days | 500-2400 m | Kisii, Busia
Pearl millet | Pennisetum glaucum | F | Cereals | Short rains (October-December) | 60-95 days | - | Kitui, Tharaka-Nithi
Barley | Hordeum vulgare | F | Cereals | Long rains (March-May) | 90-120 days | 1800-2800 m | Narok, Nakuru
Common beans | Phaseolus vulgaris | F | Pulses | Long and short rains | 60-110 days | 1000-2100 m | Embu, Meru, Kakamega
Cowpeas | Vigna unguiculata | F | Pulses | Short rains (October-December) | 60-90 days | 0-1500 m | Makueni, Kitui
Green grams | Vigna radiata | F | Pulses | Short rains (October-December) | 60-80 days | 0-1600 m | Kitui, Tharaka-Nithi
Pigeon peas | Cajanus cajan | F | Pulses | Short rains (October-December) | 120-180 days | 0-1800 m | Machakos, Makueni
Lablab | Lablab purpureus | F | Pulses | - | - | - | -
Groundnuts | Arachis hypogaea | F | Nuts | Long rains (March-May) | 90-120 days | 0-1500 m | Homa Bay, Siaya
Potatoes | Solanum tuberosum | F | Roots and Tubers | Long and short rains | 90-120 days | 1500-2800 m | Nyandarua, Nakuru, Meru
Sweet potatoes | Ipomoea batatas | F | Roots and Tubers | Long and short rains | 90-150 days | 0-2100 m | Homa Bay, Bungoma
Cassava | Manihot esculenta | F | Roots and Tubers | All year | 240-540 days | 0-1500 m | Busia, Migori, Kilifi
Arrowroot | Colocasia esculenta | F | Roots and Tubers | All year | 180-300 days | - | Nyeri, Murang'a
Tea | Camellia sinensis | C | Beverages | All year | 3 years to first plucking | 1500-2700 m | Kericho, Bomet, Nyeri
Coffee | Coffea arabica | C | Beverages | Main crop October-December | 3 years to first harvest | 1400-2200 m | Kiambu, Nyeri, Kirinyaga
Sugarcane | Saccharum officinarum | C | Sugar | All year | 14-18 months | 0-1600 m | Kakamega, Kisumu
Cotton | Gossypium hirsutum | C | Fibres | Long rains (March-May) | 150-180 days | 0-1500 m | Busia, Lamu
Pyrethrum | Tanacetum cinerariifolium | C | - | All year | 3-4 months | 1900-2700 m | Nyandarua, Nakuru
Sunflower | Helianthus annuus | C | Oil Crops | Long rains (March-May) | 90-120 days | 0-2600 m | -
Cashew | Anacardium occidentale | C | Nuts | November-February | 3 years to first harvest | 0-700 m | Kilifi, Kwale
Macadamia | Macadamia integrifolia | C | Nuts | February-July | 5 years to first harvest | 1400-1900 m | Embu, Murang'a
Khat | Catha edulis | C | - | All year | - | 1400-2000 m | Meru, Embu
Tomatoes | Solanum lycopersicum | H | Vegetables | Long and short rains | 75-90 days | 0-2100 m | Kajiado, Kirinyaga
Onions | Allium cepa | H | Vegetables | Dry season under irrigation | 90-150 days | 500-2000 m | Kajiado, Bungoma
Kale | Brassica oleracea var. acephala | H | Vegetables | All year | 50-60 days | 800-2200 m | Kiambu, Nyandarua
Cabbage | Brassica oleracea var. capitata | H | Vegetables | All year | 70-120 days | 700-2900 m | Nyandarua, Nakuru
Carrots | Daucus carota | H | Vegetables | All year | 80-100 days | 500-2900 m | Nakuru, Meru
French beans | Phaseolus vulgaris | H | Vegetables | All year under irrigation | 45-60 days | 900-2100 m | Kirinyaga, Machakos
Jalapeño pepper | Capsicum annuum | H | Vegetables | All year | 70-85 days | - | Makueni
Bananas | Musa × paradisiaca | H | Fruits | All year | 12-15 months | 0-1800 m | Kisii, Meru, Murang'a
Mangoes | Mangifera indica | H | Fruits | November-March | 3 years to first harvest | 0-1700 m | Makueni, Kilifi
Avocados | Persea americana | H | Fruits | March-September | 3 years to first harvest | 1000-2200 m | Murang'a, Kiambu
Passion fruit | Passiflora edulis | H | Fruits | All year | 7-9 months | 1200-2500 m | Uasin Gishu, Embu
Pineapples | Ananas comosus | H | Fruits | All year | 18-24 months | 0-1800 m | Kiambu, Kilifi
Coriander | Coriandrum sativum | H | Herbs and Spices | All year | 40-50 days | - | -
Cardamom | Elettaria cardamomum | H | Herbs and Spices | - | - | - | -
`;

/** The crops of every sample, in order of id; the same for all seeds. */
export const cropRecords: readonly CropRecord[] = lines.trim().split("\n").map(cropOfLine);

function cropOfLine(line: string, index: number): CropRecord {
  const [name, scientificName, letter, subCategory, growingSeason, maturityPeriod, altitude, regions] = line
    .split(" | ")
    .map((cell) => (cell === "-" ? null : cell));
  return {
    id: index + 1,
    name: name as string,
    scientificName: scientificName ?? null,
    category: categoryOf(letter ?? ""),
    subCategory: subCategory ?? null,
    varieties: index % 3 === 0 ? null : [`${name} 1`, `${name} 2`],
    growingSeason: growingSeason ?? null,
    maturityPeriod: maturityPeriod ?? null,
    climateRequirements: altitude ? { altitude, rainfall: null, temperature: null } : null,
    majorGrowingRegions: regions?.split(", ") ?? null,
  };
}

function categoryOf(letter: string): CropCategory {
  const category = cropCategories.find((name) => name.startsWith(letter));
  if (letter === "" || category === undefined) throw new RangeError(`crop category is "${letter}", expected C, F or H`);
  return category;
}
