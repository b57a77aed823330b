/**
 * The places of a sample: the 47 counties under their real names, and five or six towns of each, which give their names
 * to markets and wards. Figures are rounded (population and area after the census of 2019, coordinates about the middle
 * of the county); the level of prices is invented.
 */
export interface Place {
  /** County number of the Constitution, 1 to 47. */
  readonly id: number;
  readonly county: string;
  readonly capital: string;
  readonly populationThousands: number;
  readonly areaSqKm: number;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Prices here in percent of the country's. */
  readonly priceLevel: number;
  /** The most important market town first. */
  readonly towns: readonly string[];
}

const lines = `
1 Mombasa | Mombasa | 1208 220 -4.02 39.65 108 | Kongowea, Mwembe Tayari, Likoni, Majengo, Changamwe
2 Kwale | Kwale | 867 8267 -4.18 39.19 104 | Ukunda, Kwale, Lunga Lunga, Kinango, Msambweni
3 Kilifi | Kilifi | 1454 12540 -3.18 39.69 103 | Kilifi, Malindi, Mariakani, Watamu, Kaloleni
4 Tana River | Hola | 316 37951 -1.53 39.42 110 | Hola, Garsen, Bura, Madogo, Kipini
5 Lamu | Lamu | 144 6253 -2.08 40.88 115 | Lamu, Mpeketoni, Witu, Faza, Mokowe
6 Taita-Taveta | Mwatate | 341 17152 -3.43 38.42 101 | Voi, Taveta, Mwatate, Wundanyi, Maungu
7 Garissa | Garissa | 841 44736 -0.49 40.2 118 | Garissa, Dadaab, Modogashe, Masalani, Hulugho
8 Wajir | Wajir | 781 56773 1.81 40.03 122 | Wajir, Habaswein, Griftu, Bute, Eldas
9 Mandera | Mandera | 867 25940 3.44 40.74 126 | Mandera, El Wak, Rhamu, Takaba, Banissa
10 Marsabit | Marsabit | 460 70944 2.98 37.57 119 | Marsabit, Moyale, Sololo, Laisamis, North Horr
11 Isiolo | Isiolo | 268 25351 1.01 38.54 109 | Isiolo, Garba Tulla, Merti, Kinna, Oldonyiro
12 Meru | Meru | 1546 7006 0.17 37.76 92 | Makutano, Gakoromone, Maua, Nkubu, Timau
13 Tharaka-Nithi | Kathwana | 393 2564 -0.21 37.87 94 | Chuka, Kathwana, Marimanti, Chogoria, Magutuni
14 Embu | Embu | 609 2821 -0.6 37.63 93 | Embu, Runyenjes, Siakago, Ishiara, Kiritiri
15 Kitui | Kitui | 1136 30430 -1.49 38.41 102 | Kitui, Mwingi, Kalundu, Mutomo, Zombe
16 Machakos | Machakos | 1422 6043 -1.28 37.41 99 | Kang'undo, Machakos, Tala, Makutano, Masii
17 Makueni | Wote | 988 8170 -2.16 37.79 100 | Wote, Emali, Kibwezi, Makindu, Mtito Andei
18 Nyandarua | Ol Kalou | 638 3286 -0.32 36.48 84 | Soko Mjinga, Ol Kalou, Engineer, Njabini, Ndaragwa
19 Nyeri | Nyeri | 759 3325 -0.34 36.96 93 | Karatina, Nyeri, Othaya, Mũkũrwe-inĩ, Naro Moru
20 Kirinyaga | Kerugoya | 610 1478 -0.52 37.32 91 | Kagio, Kerugoya, Kutus, Wang'uru, Sagana
21 Murang'a | Murang'a | 1057 2524 -0.81 37.03 94 | Murang'a, Kenol, Maragwa, Kangema, Gĩthũmu
22 Kiambu | Kiambu | 2418 2539 -1.07 36.82 101 | Thĩka, Kiambu, Limuru, Gĩthũngũri, Ruiru
23 Turkana | Lodwar | 927 68233 3.42 35.44 124 | Lodwar, Kakuma, Lokichar, Kalokol, Lokichoggio
24 West Pokot | Kapenguria | 621 9123 1.74 35.24 96 | Makutano, Kapenguria, Chepareria, Sigor, Alale
25 Samburu | Maralal | 310 21065 1.32 37.12 112 | Maralal, Wamba, Baragoi, Archers Post, Suguta Marmar
26 Trans Nzoia | Kitale | 990 2495 1.05 34.96 86 | Kitale, Kiminini, Endebess, Kachibora, Saboti
27 Uasin Gishu | Eldoret | 1163 3392 0.53 35.32 87 | Eldoret, Turbo, Burnt Forest, Ziwa, Moiben
28 Elgeyo-Marakwet | Iten | 454 3032 0.8 35.54 89 | Iten, Kapsowar, Chebiemit, Tambach, Kapcherop
29 Nandi | Kapsabet | 886 2856 0.19 35.11 90 | Kapsabet, Nandi Hills, Mosoriot, Kabiyet, Kobujoi
30 Baringo | Kabarnet | 667 10976 0.67 35.95 98 | Marigat, Kabarnet, Eldama Ravine, Mogotio, Chemolingot
31 Laikipia | Rumuruti | 519 9532 0.32 36.77 96 | Nanyuki, Nyahururu, Rumuruti, Doldol, Kinamba
32 Nakuru | Nakuru | 2162 7462 -0.46 36.08 90 | Nakuru, Naivasha, Molo, Gilgil, Njoro
33 Narok | Narok | 1158 17950 -1.25 35.58 93 | Narok, Kilgoris, Ololulung'a, Suswa, Mulot
34 Kajiado | Kajiado | 1118 21871 -2.12 36.91 104 | Kitengela, Kajiado, Namanga, Loitokitok, Ngong
35 Kericho | Kericho | 902 2436 -0.3 35.31 92 | Kericho, Litein, Londiani, Sosiot, Kipkelion
36 Bomet | Bomet | 876 2531 -0.73 35.3 91 | Bomet, Sotik, Longisa, Ndanai, Silibwet
37 Kakamega | Kakamega | 1868 3020 0.4 34.74 95 | Kakamega, Mumias, Butere, Malava, Shinyalu
38 Vihiga | Mbale | 590 564 0.08 34.72 98 | Luanda, Mbale, Majengo, Chavakali, Cheptulu
39 Bungoma | Bungoma | 1671 3024 0.75 34.64 90 | Chwele, Bungoma, Webuye, Kimilili, Sirisia
40 Busia | Busia | 894 1696 0.39 34.19 95 | Busia, Malaba, Nambale, Port Victoria, Bumala
41 Siaya | Siaya | 993 2530 -0.06 34.25 98 | Siaya, Bondo, Ugunja, Ng'iya, Yala
42 Kisumu | Kisumu | 1156 2085 -0.17 34.84 102 | Kibuye, Ahero, Maseno, Muhoroni, Katito
43 Homa Bay | Homa Bay | 1132 3153 -0.54 34.36 97 | Homa Bay, Oyugis, Mbita, Ndhiwa, Kendu Bay
44 Migori | Migori | 1116 2614 -0.99 34.36 94 | Migori, Isebania, Rongo, Awendo, Kehancha
45 Kisii | Kisii | 1267 1323 -0.77 34.77 95 | Daraja Mbili, Ogembo, Suneka, Keroka, Nyamache
46 Nyamira | Nyamira | 606 897 -0.64 34.96 94 | Nyamira, Keroka, Nyansiongo, Ekerenyo, Manga
47 Nairobi | Nairobi | 4397 704 -1.29 36.87 112 | Wakulima, Gĩkomba, Toi, Kawangware, Majengo, Githurai
`;

/** All counties in order of id. */
export const places: readonly Place[] = lines.trim().split("\n").map(placeOfLine);

function placeOfLine(line: string): Place {
  const [head = "", capital = "", figures = "", towns = ""] = line.split(" | ");
  const [, id, county = ""] = /^(\d+) (.+)$/.exec(head) ?? [];
  const [population, area, latitude, longitude, priceLevel] = figures.split(" ").map(Number);
  return {
    id: Number(id),
    county,
    capital,
    populationThousands: population as number,
    areaSqKm: area as number,
    latitude: latitude as number,
    longitude: longitude as number,
    priceLevel: priceLevel as number,
    towns: towns.split(", "),
  };
}
