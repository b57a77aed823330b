import { compareNames, groupByName } from "../model/folded-text.ts";
import type { CropRecord } from "../model/records.ts";
import type { CropCategory } from "../model/vocabulary.ts";
import type { Store } from "../store/store.ts";

/** Conditions on crops; every one given must hold. */
export interface CropFilter {
  readonly category?: CropCategory | undefined;
  /** Part of the growing season's text, without case; accents count. */
  readonly season?: string | undefined;
}

/** The crops a filter selects, by id. Cost: a read of every crop. */
export function listCrops({ catalogue }: Store, { category, season }: CropFilter): CropRecord[] {
  const wanted = season?.toLowerCase();
  return catalogue.crops.filter(
    (crop) =>
      (category === undefined || crop.category === category) &&
      (wanted === undefined || crop.growingSeason?.toLowerCase().includes(wanted) === true),
  );
}

export interface CropCategoryEntry {
  readonly category: CropCategory;
  /** By folded name; a crop without sub-category is in none of them. */
  readonly subCategories: readonly { readonly name: string; readonly crops: readonly string[] }[];
}

/** Categories of all crops with the names of their crops, all by folded name. Cost: a read of every crop. */
export function listCropCategories({ catalogue }: Store): CropCategoryEntry[] {
  return groupByName(catalogue.crops, (crop) => crop.category).map(([category, crops]) => ({
    category,
    subCategories: groupByName(crops, ({ subCategory }) => subCategory).map(([name, ofName]) => {
      return { name, crops: ofName.map((crop) => crop.name).sort(compareNames) };
    }),
  }));
}
