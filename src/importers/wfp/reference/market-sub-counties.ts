/**
 * Market ids of the price export by sub-county, where it is certain: the market bears the name of a ward of that
 * sub-county (sub-counties.ts) and lies near it, or is its well-known chief town or camp. Every other market has no
 * sub-county. Names in the comments are those of the export.
 *
 * Three markets that bear the name of a ward lie far from its middle. Kargi South Horr is in South Horr, at the edge of a
 * wide ward; the point of Kibish is in the next ward of the same sub-county; that of Letea is wrong
 * (market-judgements.ts).
 */
export const marketIdsBySubCounty: Readonly<Record<string, readonly number[]>> = {
  // Junda (Mombasa)
  Kisauni: [4235],
  // Kongowea (Mombasa)
  Nyali: [5672],
  // Vanga (Kwale)
  "Lunga Lunga": [5893],
  // Kilifi
  "Kilifi North": [1852],
  // Garsen, Kipini
  Garsen: [10448, 10450],
  // Hola (Tana River), Hola town, Wayu
  Galole: [1854, 3359, 10447],
  // Bangale, Bura
  Bura: [10438, 10442],
  // Garissa, Garissa town (Garissa)
  "Garissa Township": [1855, 3356],
  // Jarajara, Saka Town
  Balambala: [10352, 10353],
  // Baraki, Benane, Maalamin, Modogashe
  Lagdera: [10367, 10368, 10370, 10371],
  // Dadaab town, Dagahaley (Daadab), IFO (Daadab), Damajale, Dertu, Liboi
  Dadaab: [3243, 3252, 3255, 10355, 10358, 10359],
  // Hagadera (Daadab), Nanigi
  Fafi: [3254, 10361],
  // Masalani
  Ijara: [10366],
  // Buna, Bute
  "Wajir North": [6648, 6650],
  // Wajir town
  "Wajir East": [3271],
  // Tarbaj
  Tarbaj: [6647],
  // Griftu, Hadado
  "Wajir West": [6644, 6656],
  // Eldas
  Eldas: [6645],
  // Habaswein, Lagbogol
  "Wajir South": [6651, 6655],
  // Takaba (Mandera)
  "Mandera West": [3267],
  // Banissa, Kiliwaheri
  Banissa: [10398, 10399],
  // Rhamu, Ashabito
  "Mandera North": [3266, 10400],
  // El Wak, Wargadud
  "Mandera South": [3263, 10397],
  // Mandera, Mandera town
  "Mandera East": [189, 3357],
  // Warankara
  Lafey: [10395],
  // Moyale town, Sololo
  Moyale: [3269, 6229],
  // Maikona, North Horr
  "North Horr": [6219, 6222],
  // Marsabit, Marsabit town, Karare
  Saku: [190, 3358, 10411],
  // Laisamis Town, Merille Town, Korr, Kargi, Loyangalani, Kargi South Horr, Ngurunit, Loglogo
  Laisamis: [6218, 6220, 6224, 6225, 6226, 10401, 10402, 10404],
  // Isiolo town, Merti CENTER, Ngaremara, Oldonyiro
  "Isiolo North": [3262, 10378, 10379, 10380],
  // Kinna, Garbatulla, Sericho Center
  "Isiolo South": [10381, 10384, 10387],
  // Kitui, Kitui town (Kitui)
  "Kitui Central": [187, 5892],
  // Tala Centre Market (Machakos)
  Matungulu: [5665],
  // Kathonzweni (Makueni), Makueni, Wote town (Makueni)
  Makueni: [5666, 5667, 6352],
  // Emali
  "Kibwezi West": [10509],
  // Mtito Andei
  "Kibwezi East": [10508],
  // Karatina (Nyeri)
  Mathira: [5670],
  // Kaleng, Kaikor, Lokitaung, Kibish, Kaeris
  "Turkana North": [6887, 6890, 6902, 6904, 10464],
  // Kalobeyei (Village 1), Mogadishu (Kakuma), Kalobeyei (Village 2), Kalobeyei (Village 3), Kakuma 2, Kakuma 4, HongKong (Kakuma), Kakuma 3, Ethiopia (Kakuma), Kakuma town, Kalobeyei town, Lokichoggio, Letea, Lopur
  "Turkana West": [3244, 3245, 3246, 3247, 3248, 3249, 3250, 3251, 3253, 3256, 6109, 6891, 6903, 10493],
  // Lodwar (Turkana), Kalokol, Lodwar town
  "Turkana Central": [188, 3258, 3360],
  // Lokiriama, Lorengipi, Turkwel Centre
  Loima: [6893, 10452, 10454],
  // Lokichar (Turkana)
  "Turkana South": [5894],
  // Lokori, Katilia
  "Turkana East": [6897, 6898],
  // Makutano (West Pokot)
  Kapenguria: [5897],
  // Lomut (West Pokot)
  Sigor: [5896],
  // Loosuk, Maralal, Suguta, Porro
  "Samburu West": [4532, 4533, 4535, 10435],
  // Baragoi, Nachola
  "Samburu North": [10426, 10431],
  // Wamba, Archers Post
  "Samburu East": [4536, 10421],
  // Amaya, Chemolingot, Nginyang
  Tiaty: [10504, 10505, 10506],
  // Marigat (Baringo), Marigat town (Baringo)
  "Baringo South": [1851, 3355],
  // Kajiado
  "Kajiado Central": [1853],
  // Kitengela (Kajiado)
  "Kajiado East": [5697],
  // Kibuye (Kisumu)
  "Kisumu Central": [5671],
  // Kangemi (Nairobi)
  Westlands: [4626],
  // Kawangware (Nairobi)
  "Dagoretti North": [4625],
  // Kibra (Nairobi)
  Kibra: [4627],
  // Dandora (Nairobi)
  "Embakasi North": [4628],
  // Mathare (Nairobi)
  Mathare: [4624],
};
