/**
 * The 47 counties.
 *
 * Sources: codes and names, First Schedule of the Constitution of Kenya, after gerismumo/kenya-locations-data (MIT);
 * population and land area, Kenya National Bureau of Statistics, 2019 census, volume I, tables 2.3 and 2.4, and the
 * centre coordinates, after Shelmith-Kariuki/rKenyaCensus (MIT); capitals, after liciolentimo/kenya-api (ISC), corrected
 * by hand.
 *
 * The capital is the gazetted seat of the county government. Where lists differ, this was decided: Taita-Taveta has
 * Mwatate (Wundanyi was the seat before 2013), Tharaka-Nithi Kathwana (Chuka is the largest town), Laikipia Rumuruti
 * (gazetted, though offices long stayed in Nanyuki), Vihiga Mbale (Vihiga was the seat of the district), Kirinyaga
 * Kerugoya (the High Court held in 2016 that it, not Kutus, is the seat).
 */
import type { Coordinates } from "../../../domain/records.ts";

export interface ReferenceCounty {
  /** Number of the county in the Constitution, 1 to 47. */
  readonly id: number;
  readonly name: string;
  readonly capital: string;
  /** People at the census of August 2019. */
  readonly population: number;
  /** Land area in square kilometres. */
  readonly areaSqKm: number;
  /** About the middle of the county. */
  readonly coordinates: Coordinates;
}

/**
 * The name of a county.
 *
 * @throws {RangeError} when there is no such county.
 */
export function countyName(countyId: number): string {
  const found = counties.find(({ id }) => id === countyId);
  if (found === undefined) throw new RangeError(`county ${countyId} does not exist, expected 1 to ${counties.length}`);
  return found.name;
}

/** All counties in order of id. */
export const counties: readonly ReferenceCounty[] = [
  county(1, "Mombasa", "Mombasa", 1208333, 219.9, -4.021256, 39.650883),
  county(2, "Kwale", "Kwale", 866820, 8267.1, -4.18315, 39.190412),
  county(3, "Kilifi", "Kilifi", 1453787, 12539.7, -3.175732, 39.686688),
  county(4, "Tana River", "Hola", 315943, 37950.5, -1.526367, 39.417869),
  county(5, "Lamu", "Lamu", 143920, 6253.3, -2.078683, 40.882861),
  county(6, "Taita-Taveta", "Mwatate", 340671, 17152, -3.434734, 38.418602),
  county(7, "Garissa", "Garissa", 841353, 44736, -0.48891, 40.199279),
  county(8, "Wajir", "Wajir", 781263, 56773.1, 1.808138, 40.034986),
  county(9, "Mandera", "Mandera", 867457, 25939.8, 3.436469, 40.73881),
  county(10, "Marsabit", "Marsabit", 459785, 70944.1, 2.978659, 37.569536),
  county(11, "Isiolo", "Isiolo", 268002, 25350.6, 1.010443, 38.542153),
  county(12, "Meru", "Meru", 1545714, 7006.3, 0.166779, 37.764037),
  county(13, "Tharaka-Nithi", "Kathwana", 393177, 2564.4, -0.207061, 37.870297),
  county(14, "Embu", "Embu", 608599, 2820.7, -0.603974, 37.626501),
  county(15, "Kitui", "Kitui", 1136187, 30429.5, -1.491039, 38.406921),
  county(16, "Machakos", "Machakos", 1421932, 6042.7, -1.279512, 37.412676),
  county(17, "Makueni", "Wote", 987653, 8169.8, -2.157684, 37.788246),
  county(18, "Nyandarua", "Ol Kalou", 638289, 3285.7, -0.322078, 36.482869),
  county(19, "Nyeri", "Nyeri", 759164, 3325, -0.342924, 36.956478),
  county(20, "Kirinyaga", "Kerugoya", 610411, 1478.3, -0.524746, 37.319868),
  county(21, "Murang'a", "Murang'a", 1056640, 2524.2, -0.809591, 37.032723),
  county(22, "Kiambu", "Kiambu", 2417735, 2538.6, -1.068706, 36.823564),
  county(23, "Turkana", "Lodwar", 926976, 68232.9, 3.424849, 35.435758),
  county(24, "West Pokot", "Kapenguria", 621241, 9123.2, 1.740106, 35.243847),
  county(25, "Samburu", "Maralal", 310327, 21065.1, 1.316855, 37.118394),
  county(26, "Trans Nzoia", "Kitale", 990341, 2495.2, 1.050955, 34.95742),
  county(27, "Uasin Gishu", "Eldoret", 1163186, 3392.2, 0.526086, 35.322012),
  county(28, "Elgeyo-Marakwet", "Iten", 454480, 3032, 0.802219, 35.536563),
  county(29, "Nandi", "Kapsabet", 885711, 2855.8, 0.186689, 35.110488),
  county(30, "Baringo", "Kabarnet", 666763, 10976.4, 0.669252, 35.946465),
  county(31, "Laikipia", "Rumuruti", 518560, 9532.2, 0.323604, 36.771728),
  county(32, "Nakuru", "Nakuru", 2162202, 7462.4, -0.463675, 36.078479),
  county(33, "Narok", "Narok", 1157873, 17950.3, -1.25479, 35.576329),
  county(34, "Kajiado", "Kajiado", 1117840, 21871.1, -2.121384, 36.908842),
  county(35, "Kericho", "Kericho", 901777, 2436.1, -0.295733, 35.31407),
  county(36, "Bomet", "Bomet", 875689, 2530.9, -0.726295, 35.298598),
  county(37, "Kakamega", "Kakamega", 1867579, 3020, 0.403683, 34.744511),
  county(38, "Vihiga", "Mbale", 590013, 563.8, 0.076266, 34.722323),
  county(39, "Bungoma", "Bungoma", 1670570, 3023.9, 0.749285, 34.640461),
  county(40, "Busia", "Busia", 893681, 1696.3, 0.387444, 34.193631),
  county(41, "Siaya", "Siaya", 993183, 2529.8, -0.06213, 34.247642),
  county(42, "Kisumu", "Kisumu", 1155574, 2085.4, -0.169459, 34.835203),
  county(43, "Homa Bay", "Homa Bay", 1131950, 3152.5, -0.542809, 34.358997),
  county(44, "Migori", "Migori", 1116436, 2613.5, -0.989537, 34.363345),
  county(45, "Kisii", "Kisii", 1266860, 1323, -0.774604, 34.774723),
  county(46, "Nyamira", "Nyamira", 605576, 897.3, -0.642732, 34.96466),
  county(47, "Nairobi", "Nairobi", 4397073, 703.9, -1.293413, 36.868189),
];

function county(
  id: number,
  name: string,
  capital: string,
  population: number,
  areaSqKm: number,
  latitude: number,
  longitude: number,
): ReferenceCounty {
  return { id, name, capital, population, areaSqKm, coordinates: { latitude, longitude } };
}
