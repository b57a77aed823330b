import type { CropRecord } from "../../domain/records.ts";
import type { CropCategoryEntry } from "../../query/find-crops.ts";

/** A crop as answered. */
export function presentCrop(crop: CropRecord): object {
  return {
    id: crop.id,
    name: crop.name,
    scientific_name: crop.scientificName,
    category: crop.category,
    sub_category: crop.subCategory,
    varieties: crop.varieties,
    growing_season: crop.growingSeason,
    maturity_period: crop.maturityPeriod,
    climate_requirements: crop.climateRequirements,
    major_growing_regions: crop.majorGrowingRegions,
  };
}

/** A crop category as answered. */
export function presentCropCategory({ category, subCategories }: CropCategoryEntry): object {
  return { category, sub_categories: subCategories };
}
