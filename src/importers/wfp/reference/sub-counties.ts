/**
 * The 290 sub-counties (constituencies) with their 1,450 wards, county by county: the code of the constituency, its
 * name and, in the order of their codes, its wards.
 *
 * Source: the codes of the Independent Electoral and Boundaries Commission (IEBC), after gerismumo/kenya-locations-data
 * (MIT) with the two wards it lacks (Cherangany/Chebororwa, Kitutu Central) after stevehoober254/kenya-county-data, with
 * which the whole list was compared by hand. Names are in title case. Slips of the pen are put right where the
 * place has one known spelling (Ndavaya, Kapchok, Habaswein, Wargadud, Mau Narok, Dedan Kimathi), shortened names are
 * written out, and constituencies renamed since carry their present names (Suba North, Suba South).
 */
export interface ReferenceSubCounty {
  /** IEBC code of the constituency, 1 to 290. */
  readonly id: number;
  readonly name: string;
  /** In order of their codes. */
  readonly wards: readonly string[];
}

/** The sub-counties of one county in order of id; empty when there is no such county. Cost: reads the county's lines. */
export function subCountiesOf(countyId: number): readonly ReferenceSubCounty[] {
  return (linesByCounty[countyId] ?? "").trim().split("\n").filter(Boolean).map(subCountyFromLine);
}

function subCountyFromLine(line: string): ReferenceSubCounty {
  const [, id, name, wards] = /^(\d+) ([^:]+): (.+)$/.exec(line) ?? [];
  if (id === undefined || name === undefined || wards === undefined) {
    throw new Error(`sub-county line is "${line}", expected "<code> <name>: <ward>, <ward> …"`);
  }
  return { id: Number(id), name, wards: wards.split(", ") };
}

const linesByCounty: Readonly<Record<number, string>> = {
  // Mombasa
  1: `
1 Changamwe: Port Reitz, Kipevu, Airport, Changamwe, Chaani
2 Jomvu: Jomvu Kuu, Miritini, Mikindani
3 Kisauni: Mjambere, Junda, Bamburi, Mwakirunge, Mtopanga, Magogoni, Shanzu
4 Nyali: Frere Town, Ziwa la Ng'ombe, Mkomani, Kongowea, Kadzandani
5 Likoni: Mtongwe, Shika Adabu, Bofu, Likoni, Timbwani
6 Mvita: Mji wa Kale/Makadara, Tudor, Tononoka, Shimanzi/Ganjoni, Majengo
`,
  // Kwale
  2: `
7 Msambweni: Gombato Bongwe, Ukunda, Kinondo, Ramisi
8 Lunga Lunga: Pongwe/Kikoneni, Dzombo, Mwereni, Vanga
9 Matuga: Tsimba Golini, Waa, Tiwi, Kubo South, Mkongani
10 Kinango: Ndavaya, Puma, Kinango, Mackinnon Road, Chengoni/Samburu, Mwavumbo, Kasemeni
`,
  // Kilifi
  3: `
11 Kilifi North: Tezo, Sokoni, Kibarani, Dabaso, Matsangoni, Watamu, Mnarani
12 Kilifi South: Junju, Mwarakaya, Shimo la Tewa, Chasimba, Mtepeni
13 Kaloleni: Mariakani, Kayafungo, Kaloleni, Mwanamwinga
14 Rabai: Mwawesa, Ruruma, Kambe/Ribe, Rabai/Kisurutini
15 Ganze: Ganze, Bamba, Jaribuni, Sokoke
16 Malindi: Jilore, Kakuyuni, Ganda, Malindi Town, Shella
17 Magarini: Marafa, Magarini, Gongoni, Adu, Garashi, Sabaki
`,
  // Tana River
  4: `
18 Garsen: Kipini East, Garsen South, Kipini West, Garsen Central, Garsen West, Garsen North
19 Galole: Kinakomba, Mikinduni, Chewani, Wayu
20 Bura: Chewele, Bura, Bangale, Sala, Madogo
`,
  // Lamu
  5: `
21 Lamu East: Faza, Kiunga, Basuba
22 Lamu West: Shella, Mkomani, Hindi, Mkunumbi, Hongwe, Witu, Bahari
`,
  // Taita-Taveta
  6: `
23 Taveta: Chala, Mahoo, Bomeni, Mboghoni, Mata
24 Wundanyi: Wundanyi/Mbale, Werugha, Wumingu/Kishushe, Mwanda/Mgange
25 Mwatate: Rong'e, Mwatate, Bura, Chawia, Wusi/Kishamba
26 Voi: Mbololo, Sagalla, Kaloleni, Marungu, Kasigau, Ngolia
`,
  // Garissa
  7: `
27 Garissa Township: Waberi, Galbet, Township, Iftin
28 Balambala: Balambala, Danyere, Jara Jara, Saka, Sankuri
29 Lagdera: Modogashe, Benane, Goreale, Maalimin, Sabena, Baraki
30 Dadaab: Dertu, Dadaab, Labasigale, Damajale, Liboi, Abakaile
31 Fafi: Bura, Dekaharia, Jarajila, Fafi, Nanighi
32 Ijara: Hulugho, Sangailu, Ijara, Masalani
`,
  // Wajir
  8: `
33 Wajir North: Gurar, Bute, Korondile, Malkagufu, Batalu, Danaba, Godoma
34 Wajir East: Wagberi, Township, Barwago, Khorof/Harar
35 Tarbaj: Elben, Sarman, Tarbaj, Wargadud
36 Wajir West: Arbajahan, Hadado/Athibohol, Ademasajide, Wagalla/Ganyure
37 Eldas: Eldas, Della, Lakoley South/Basir, Elnur/Tula Tula
38 Wajir South: Benane, Burder, Dadaja Bulla, Habaswein, Lagboghol South, Ibrahim Ure, Diif
`,
  // Mandera
  9: `
39 Mandera West: Takaba South, Takaba, Lag Sure, Dandu, Gither
40 Banissa: Banissa, Derkhale, Guba, Malkamari, Kiliwehiri
41 Mandera North: Ashabito, Guticha, Morothile, Rhamu, Rhamu-Dimtu
42 Mandera South: Wargadud, Kutulo, Elwak South, Elwak North, Shimbir Fatuma
43 Mandera East: Arabia, Bulla Mpya, Khalalio, Neboi, Township
44 Lafey: Libehia, Fino, Lafey, Warankara, Alungo Gof
`,
  // Marsabit
  10: `
45 Moyale: Butiye, Sololo, Heilu-Manyatta, Golbo, Moyale Township, Uran, Obbu
46 North Horr: Illeret, North Horr, Dukana, Maikona, Turbi
47 Saku: Sagante/Jaldesa, Karare, Marsabit Central
48 Laisamis: Loiyangalani, Kargi/South Horr, Korr/Ngurunit, Log Logo, Laisamis
`,
  // Isiolo
  11: `
49 Isiolo North: Wabera, Bulla Pesa, Chari, Cherab, Ngare Mara, Burat, Oldonyiro
50 Isiolo South: Garbatulla, Kinna, Sericho
`,
  // Meru
  12: `
51 Igembe South: Maua, Kiegoi/Antubochiu, Athiru Gaiti, Akachiu, Kanuni
52 Igembe Central: Akirang'ondu, Athiru Ruujine, Igembe East, Njia, Kangeta
53 Igembe North: Antuambui, Ntunene, Antubetwe Kiongo, Naathu, Amwathi
54 Tigania West: Athwana, Akithii, Kianjai, Nkomo, Mbeu
55 Tigania East: Thangatha, Mikinduri, Kiguchwa, Muthara, Karama
56 North Imenti: Municipality, Ntima East, Ntima West, Nyaki West, Nyaki East
57 Buuri: Timau, Kisima, Kiirua/Naari, Ruiri/Rwarera, Kibirichia
58 Central Imenti: Mwanganthia, Abothuguchi Central, Abothuguchi West, Kiagu
59 South Imenti: Mitunguu, Igoji East, Igoji West, Abogeta East, Abogeta West, Nkuene
`,
  // Tharaka-Nithi
  13: `
60 Maara: Mitheru, Muthambi, Mwimbi, Ganga, Chogoria
61 Chuka/Igambang'ombe: Mariani, Karingani, Magumoni, Mugwe, Igambang'ombe
62 Tharaka: Gatunga, Mukothima, Nkondi, Chiakariga, Marimanti
`,
  // Embu
  14: `
63 Manyatta: Ruguru/Ngandori, Kithimu, Nginda, Mbeti North, Kirimari, Gaturi South
64 Runyenjes: Gaturi North, Kagaari South, Central, Kagaari North, Kyeni North, Kyeni South
65 Mbeere South: Mwea, Makima, Mbeti South, Mavuria, Kiambere
66 Mbeere North: Nthawa, Muminji, Evurore
`,
  // Kitui
  15: `
67 Mwingi North: Ngomeni, Kyuso, Mumoni, Tseikuru, Tharaka
68 Mwingi West: Kyome/Thaana, Nguutani, Migwani, Kiomo/Kyethani
69 Mwingi Central: Central, Kivou, Nguni, Nuu, Mui, Waita
70 Kitui West: Mutonguni, Kauwi, Matinyani, Kwa Mutonga/Kithumula
71 Kitui Rural: Kisasi, Mbitini, Kwavonza/Yatta, Kanyangi
72 Kitui Central: Miambani, Township, Kyangwithya West, Mulango, Kyangwithya East
73 Kitui East: Zombe/Mwitika, Chuluni, Nzambani, Voo/Kyamatu, Endau/Malalani, Mutito/Kaliku
74 Kitui South: Ikanga/Kyatune, Mutomo, Mutha, Ikutha, Kanziko, Athi
`,
  // Machakos
  16: `
75 Masinga: Kivaa, Masinga Central, Ekalakala, Muthesya, Ndithini
76 Yatta: Ndalani, Matuu, Kithimani, Ikombe, Katangi
77 Kangundo: Kangundo North, Kangundo Central, Kangundo East, Kangundo West
78 Matungulu: Tala, Matungulu North, Matungulu East, Matungulu West, Kyeleni
79 Kathiani: Mitaboni, Kathiani Central, Upper Kaewa/Iveti, Lower Kaewa/Kaani
80 Mavoko: Athi River, Kinanie, Muthwani, Syokimau/Mulolongo
81 Machakos Town: Kalama, Mua, Mutituni, Machakos Central, Mumbuni North, Muvuti/Kiima-Kimwe, Kola
82 Mwala: Mbiuni, Makutano/Mwala, Masii, Muthetheni, Wamunyu, Kibauni
`,
  // Makueni
  17: `
83 Mbooni: Tulimani, Mbooni, Kithungo/Kitundu, Kisau/Kiteta, Waia/Kako, Kalawa
84 Kilome: Kasikeu, Mukaa, Kiima Kiu/Kalanzoni
85 Kaiti: Ukia, Kee, Kilungu, Ilima
86 Makueni: Wote, Muvau/Kikuumini, Mavindini, Kitise/Kithuki, Kathonzweni, Nzaui/Kilili/Kalamba, Mbitini
87 Kibwezi West: Makindu, Nguumo, Kikumbulyu North, Kikumbulyu South, Nguu/Masumba, Emali/Mulala
88 Kibwezi East: Masongaleni, Mtito Andei, Thange, Ivingoni/Nzambani
`,
  // Nyandarua
  18: `
89 Kinangop: Engineer, Gathara, North Kinangop, Murungaru, Njabini/Kiburu, Nyakio, Githabai, Magumu
90 Kipipiri: Wanjohi, Kipipiri, Geta, Githioro
91 Ol Kalou: Karau, Kanjuiri Ridge, Mirangine, Kaimbaga, Rurii
92 Ol Jorok: Gathanji, Gatimu, Weru, Charagita
93 Ndaragwa: Leshau Pondo, Kiriita, Central, Shamata
`,
  // Nyeri
  19: `
94 Tetu: Dedan Kimathi, Wamagana, Aguthi/Gaaki
95 Kieni: Mweiga, Naromoru/Kiamathaga, Mwiyogo/Endarasha, Mugunda, Gatarakwa, Thegu River, Kabaru, Gakawa
96 Mathira: Ruguru, Magutu, Iriaini, Konyu, Kirimukuyu, Karatina Town
97 Othaya: Mahiga, Iria-ini, Chinga, Karima
98 Mukurweini: Gikondi, Rugi, Mukurwe-ini West, Mukurwe-ini Central
99 Nyeri Town: Kiganjo/Mathari, Rware, Gatitu/Muruguru, Ruring'u, Kamakwa/Mukaro
`,
  // Kirinyaga
  20: `
100 Mwea: Mutithi, Kangai, Thiba, Wamumu, Nyangati, Murinduko, Gathigiriri, Tebere
101 Gichugu: Kabare, Baragwi, Njukiini, Ngariama, Karumandi
102 Ndia: Mukure, Kiine, Kariti
103 Kirinyaga Central: Mutira, Kanyeki-ini, Kerugoya, Inoi
`,
  // Murang'a
  21: `
104 Kangema: Kanyenyaini, Muguru, Rwathia
105 Mathioya: Gitugi, Kiru, Kamacharia
106 Kiharu: Wangu, Mugoiri, Mbiri, Township, Murarandia, Gaturi
107 Kigumo: Kahumbu, Muthithi, Kigumo, Kangari, Kinyona
108 Maragwa: Kimorori/Wempa, Makuyu, Kambiti, Kamahuha, Ichagaki, Nginda
109 Kandara: Ng'araria, Muruka, Kagundu-ini, Gaichanjiru, Ithiru, Ruchu
110 Gatanga: Ithanga, Kakuzi/Mitubiri, Mugumo-ini, Kihumbu-ini, Gatanga, Kariara
`,
  // Kiambu
  22: `
111 Gatundu South: Kiamwangi, Kiganjo, Ndarugu, Ngenda
112 Gatundu North: Gituamba, Githobokoni, Chania, Mang'u
113 Juja: Murera, Theta, Juja, Witeithie, Kalimoni
114 Thika Town: Township, Kamenu, Hospital, Gatuanyaga, Ngoliba
115 Ruiru: Gitothua, Biashara, Gatongora, Kahawa Sukari, Kahawa Wendani, Kiuu, Mwiki, Mwihoko
116 Githunguri: Githunguri, Githiga, Ikinu, Ngewa, Komothai
117 Kiambu: Ting'ang'a, Ndumberi, Riabai, Township
118 Kiambaa: Cianda, Karuri, Ndenderu, Muchatha, Kihara
119 Kabete: Gitaru, Muguga, Nyadhuna, Kabete, Uthiru
120 Kikuyu: Karai, Nachu, Sigona, Kikuyu, Kinoo
121 Limuru: Bibirioni, Limuru Central, Ndeiya, Limuru East, Ngecha Tigoni
122 Lari: Kinale, Kijabe, Nyanduma, Kamburu, Lari/Kirenga
`,
  // Turkana
  23: `
123 Turkana North: Kaeris, Lake Zone, Lapur, Kaaleng/Kaikor, Kibish, Nakalale
124 Turkana West: Kakuma, Lopur, Letea, Songot, Kalobeyei, Lokichoggio, Nanaam
125 Turkana Central: Kerio Delta, Kang'atotha, Kalokol, Lodwar Township, Kanamkemer
126 Loima: Kotaruk/Lobei, Turkwel, Loima, Lokiriama/Lorengippi
127 Turkana South: Kaputir, Katilu, Lobokat, Kalapata, Lokichar
128 Turkana East: Kapedo/Napeitom, Katilia, Lokori/Kochodin
`,
  // West Pokot
  24: `
129 Kapenguria: Riwo, Kapenguria, Mnagei, Siyoi, Endugh, Sook
130 Sigor: Sekerr, Masool, Lomut, Weiwei
131 Kacheliba: Suam, Kodich, Kapchok, Kasei, Kiwawa, Alale
132 Pokot South: Chepareria, Batei, Lelan, Tapach
`,
  // Samburu
  25: `
133 Samburu West: Lodokejek, Suguta Marmar, Maralal, Loosuk, Poro
134 Samburu North: El-Barta, Nachola, Ndoto, Nyiro, Angata Nanyokie, Baawa
135 Samburu East: Waso, Wamba West, Wamba East, Wamba North
`,
  // Trans Nzoia
  26: `
136 Kwanza: Kapomboi, Kwanza, Keiyo, Bidii
137 Endebess: Chepchoina, Endebess, Matumbei
138 Saboti: Kinyoro, Matisi, Tuwani, Saboti, Machewa
139 Kiminini: Kiminini, Waitaluk, Sirende, Hospital, Sikhendu, Nabiswa
140 Cherangany: Sinyerere, Makutano, Kaplamai, Motosiet, Cherangany/Suwerwa, Chepsiro/Kiptoror, Sitatunga
`,
  // Uasin Gishu
  27: `
141 Soy: Moi's Bridge, Kapkures, Ziwa, Segero/Barsombe, Kipsomba, Soy, Kuinet/Kapsuswa
142 Turbo: Ngenyilel, Tapsagoi, Kamagut, Kiplombe, Kapsaos, Huruma
143 Moiben: Tembelio, Sergoit, Karuna/Meibeki, Moiben, Kimumu
144 Ainabkoi: Kapsoya, Kaptagat, Ainabkoi/Olare
145 Kapseret: Simat/Kapseret, Kipkenyo, Ngeria, Megun, Langas
146 Kesses: Racecourse, Cheptiret/Kipchamo, Tulwet/Chuiyat, Tarakwa
`,
  // Elgeyo-Marakwet
  28: `
147 Marakwet East: Kapyego, Sambirir, Endo, Embobut/Embulot
148 Marakwet West: Lelan, Sengwer, Cherangany/Chebororwa, Moiben/Kuserwo, Kapsowar, Arror
149 Keiyo North: Emsoo, Kamariny, Kapchemutwa, Tambach
150 Keiyo South: Kaptarakwa, Chepkorio, Soy North, Soy South, Kabiemit, Metkei
`,
  // Nandi
  29: `
151 Tinderet: Songhor/Soba, Tindiret, Chemelil/Chemase, Kapsimotwo
152 Aldai: Kabwareng, Terik, Kemeloi-Maraba, Kobujoi, Kaptumo-Kaboi, Koyo-Ndurio
153 Nandi Hills: Nandi Hills, Chepkunyuk, Ol'lessos, Kapchorua
154 Chesumei: Chemundu/Kapng'etuny, Kosirai, Lelmokwo/Ngechek, Kaptel/Kamoiywo, Kiptuya
155 Emgwen: Chepkumia, Kapkangani, Kapsabet, Kilibwoni
156 Mosop: Chepterwai, Kipkaren, Kurgung/Surungai, Kabiyet, Ndalat, Kabisaga, Sangalo/Kebulonik
`,
  // Baringo
  30: `
157 Tiaty: Tirioko, Kolowa, Ribkwo, Silale, Loiyamorock, Tangulbei/Korossi, Churo/Amaya
158 Baringo North: Barwessa, Kabartonjo, Saimo/Kipsaraman, Saimo/Soi, Bartabwa
159 Baringo Central: Kabarnet, Sacho, Tenges, Ewalel Chapchap, Kapropita
160 Baringo South: Marigat, Ilchamus, Mochongoi, Mukutani
161 Mogotio: Mogotio, Emining, Kisanana
162 Eldama Ravine: Lembus, Lembus Kwen, Ravine, Mumberes/Maji Mazuri, Lembus/Perkerra, Koibatek
`,
  // Laikipia
  31: `
163 Laikipia West: Olmoran, Rumuruti Township, Kinamba, Marmanet, Igwamiti, Salama
164 Laikipia East: Ngobit, Tigithi, Thingithu, Nanyuki, Umande
165 Laikipia North: Sosian, Segera, Mukogondo West, Mukogondo East
`,
  // Nakuru
  32: `
166 Molo: Mariashoni, Elburgon, Turi, Molo
167 Njoro: Mau Narok, Mauche, Kihingo, Nessuit, Lare, Njoro
168 Naivasha: Biashara, Hells Gate, Lakeview, Maai-Mahiu, Maiella, Olkaria, Naivasha East, Viwandani
169 Gilgil: Gilgil, Elementaita, Mbaruk/Eburu, Malewa West, Murindati
170 Kuresoi South: Amalo, Keringet, Kiptagich, Tinet
171 Kuresoi North: Kiptororo, Nyota, Sirikwa, Kamara
172 Subukia: Subukia, Waseges, Kabazi
173 Rongai: Menengai West, Soin, Visoi, Mosop, Solai
174 Bahati: Dundori, Kabatini, Kiamaina, Lanet/Umoja, Bahati
175 Nakuru Town West: Barut, London, Kaptembwo, Kapkures, Rhoda, Shaabab
176 Nakuru Town East: Biashara, Kivumbini, Flamingo, Menengai, Nakuru East
`,
  // Narok
  33: `
177 Kilgoris: Kilgoris Central, Keyian, Angata Barikoi, Shankoe, Kimintet, Lolgorian
178 Emurua Dikirr: Ilkerin, Ololmasani, Mogondo, Kapsasian
179 Narok North: Olpusimoru, Olokurto, Narok Town, Nkareta, Olorropil, Melili
180 Narok East: Mosiro, Ildamat, Keekonyokie, Suswa
181 Narok South: Majimoto/Naroosura, Ololulung'a, Melelo, Loita, Sogoo, Sagamian
182 Narok West: Ilmotiok, Mara, Siana, Naikarra
`,
  // Kajiado
  34: `
183 Kajiado North: Olkeri, Ongata Rongai, Nkaimurunya, Oloolua, Ngong
184 Kajiado Central: Purko, Ildamat, Dalalekutuk, Matapato North, Matapato South
185 Kajiado East: Kaputiei North, Kitengela, Oloosirkon/Sholinke, Kenyawa-Poka, Imaroro
186 Kajiado West: Keekonyokie, Iloodokilani, Magadi, Ewuaso Oonkidong'i, Mosiro
187 Kajiado South: Entonet/Lenkisim, Mbirikani/Eselenkei, Kuku, Rombo, Kimana
`,
  // Kericho
  35: `
188 Kipkelion East: Londiani, Kedowa/Kimugul, Chepseon, Tendeno/Sorget
189 Kipkelion West: Kunyak, Kamasian, Kipkelion, Chilchila
190 Ainamoi: Kapsoit, Ainamoi, Kapkugerwet, Kipchebor, Kipchimchim, Kapsaos
191 Bureti: Kisiara, Tebesonik, Cheboin, Chemosot, Litein, Cheplanget, Kapkatet
192 Belgut: Waldai, Kabianga, Cheptororiet/Seretut, Chaik, Kapsuser
193 Sigowet/Soin: Sigowet, Kaplelartet, Soliat, Soin
`,
  // Bomet
  36: `
194 Sotik: Ndanai/Abosi, Chemagel, Kipsonoi, Kapletundo, Rongena/Manaret
195 Chepalungu: Kong'asis, Nyangores, Sigor, Chebunyo, Siongiroi
196 Bomet East: Merigi, Kembu, Longisa, Kipreres, Chemaner
197 Bomet Central: Silibwet Township, Ndaraweta, Singorwet, Chesoen, Mutarakwa
198 Konoin: Chepchabas, Kimulot, Mogogosiek, Boito, Embomos
`,
  // Kakamega
  37: `
199 Lugari: Mautuma, Lugari, Lumakanda, Chekalini, Chevaywa, Lwandeti
200 Likuyani: Likuyani, Sango, Kongoni, Nzoia, Sinoko
201 Malava: West Kabras, Chemuche, East Kabras, Butali/Chegulo, Manda-Shivanga, Shirugu-Mugai, South Kabras
202 Lurambi: Butsotso East, Butsotso South, Butsotso Central, Sheywe, Mahiakalo, Shirere
203 Navakholo: Ingostse-Mathia, Shinoyi-Shikomari-Esumeyia, Bunyala West, Bunyala East, Bunyala Central
204 Mumias West: Mumias Central, Mumias North, Etenje, Musanda
205 Mumias East: Lubinu/Lusheya, Isongo/Makunga/Malaha, East Wanga
206 Matungu: Koyonzo, Kholera, Khalaba, Mayoni, Namamali
207 Butere: Marama West, Marama Central, Marenyo-Shianda, Marama North, Marama South
208 Khwisero: Kisa North, Kisa East, Kisa West, Kisa Central
209 Shinyalu: Isukha North, Murhanda, Isukha Central, Isukha South, Isukha East, Isukha West
210 Ikolomani: Idakho South, Idakho East, Idakho North, Idakho Central
`,
  // Vihiga
  38: `
211 Vihiga: Lugaga-Wamuluma, South Maragoli, Central Maragoli, Mungoma
212 Sabatia: Lyaduywa/Izava, West Sabatia, Chavakali, North Maragoli, Wodanga, Busali
213 Hamisi: Shiru, Muhudu, Shamakhokho, Gisambai, Banja, Tambua, Jepkoyai
214 Luanda: Luanda Township, Wemilabi, Mwibona, Luanda South, Emabungo
215 Emuhaya: North East Bunyore, Central Bunyore, West Bunyore
`,
  // Bungoma
  39: `
216 Mt. Elgon: Cheptais, Chesikaki, Chepyuk, Kapkateny, Kaptama, Elgon
217 Sirisia: Namwela, Malakisi/South Kulisiru, Lwandanyi
218 Kabuchai: Kabuchai/Chwele, West Nalondo, Bwake/Luuya, Mukuyuni
219 Bumula: South Bukusu, Bumula, Khasoko, Kabula, Kimaeti, West Bukusu, Siboti
220 Kanduyi: Bukembe West, Bukembe East, Township, Khalaba, Musikoma, East Sang'alo, Marakaru/Tuuti, Sang'alo West
221 Webuye East: Mihuu, Ndivisi, Maraka
222 Webuye West: Misikhu, Sitikho, Matulo, Bokoli
223 Kimilili: Kimilili, Kibingei, Maeni, Kamukuywa
224 Tongaren: Mbakalo, Naitiri/Kabuyefwe, Milima, Ndalu/Tabani, Tongaren, Soysambu/Mitua
`,
  // Busia
  40: `
225 Teso North: Malaba Central, Malaba North, Ang'urai South, Ang'urai North, Ang'urai East, Malaba South
226 Teso South: Ang'orom, Chakol South, Chakol North, Amukura West, Amukura East, Amukura Central
227 Nambale: Nambale Township, Bukhayo North/Waltsi, Bukhayo East, Bukhayo Central
228 Matayos: Bukhayo West, Mayenje, Matayos South, Busibwabo, Burumba
229 Butula: Marachi West, Kingandole, Marachi Central, Marachi East, Marachi North, Elugulu
230 Funyula: Namboboto Nambuku, Nangina, Ageng'a Nanguba, Bwiri
231 Budalangi: Bunyala Central, Bunyala North, Bunyala West, Bunyala South
`,
  // Siaya
  41: `
232 Ugenya: West Ugenya, Ukwala, North Ugenya, East Ugenya
233 Ugunja: Sidindi, Sigomere, Ugunja
234 Alego Usonga: Usonga, West Alego, Central Alego, Siaya Township, North Alego, South East Alego
235 Gem: North Gem, West Gem, Central Gem, Yala Township, East Gem, South Gem
236 Bondo: West Yimbo, Central Sakwa, South Sakwa, Yimbo East, West Sakwa, North Sakwa
237 Rarieda: East Asembo, West Asembo, North Uyoma, South Uyoma, West Uyoma
`,
  // Kisumu
  42: `
238 Kisumu East: Kajulu, Kolwa East, Manyatta B, Nyalenda A, Kolwa Central
239 Kisumu West: South West Kisumu, Central Kisumu, Kisumu North, West Kisumu, North West Kisumu
240 Kisumu Central: Railways, Migosi, Shaurimoyo Kaloleni, Market Milimani, Kondele, Nyalenda B
241 Seme: West Seme, Central Seme, East Seme, North Seme
242 Nyando: East Kano/Wawidhi, Awasi/Onjiko, Ahero, Kabonyo/Kanyagwal, Kobura
243 Muhoroni: Miwani, Ombeyi, Masogo/Nyang'oma, Chemelil, Muhoroni/Koru
244 Nyakach: South West Nyakach, North Nyakach, Central Nyakach, West Nyakach, South East Nyakach
`,
  // Homa Bay
  43: `
245 Kasipul: West Kasipul, South Kasipul, Central Kasipul, East Kamagak, West Kamagak
246 Kabondo Kasipul: Kabondo East, Kabondo West, Kokwanyo/Kakelo, Kojwach
247 Karachuonyo: West Karachuonyo, North Karachuonyo, Central, Kanyaluo, Kibiri, Wangchieng, Kendu Bay Town
248 Rangwe: West Gem, East Gem, Kagan, Kochia
249 Homa Bay Town: Homa Bay Central, Homa Bay Arujo, Homa Bay West, Homa Bay East
250 Ndhiwa: Kwabwai, Kanyadoto, Kanyikela, North Kabuoch, Kabuoch South/Pala, Kanyamwa Kologi, Kanyamwa Kosewe
251 Suba North: Mfangano Island, Rusinga Island, Kasgunga, Gembe, Lambwe
252 Suba South: Gwassi South, Gwassi North, Kaksingri West, Ruma Kaksingri East
`,
  // Migori
  44: `
253 Rongo: North Kamagambo, Central Kamagambo, East Kamagambo, South Kamagambo
254 Awendo: North Sakwa, South Sakwa, West Sakwa, Central Sakwa
255 Suna East: God Jope, Suna Central, Kakrao, Kwa
256 Suna West: Wiga, Wasweta II, Ragana-Oruba, Wasimbete
257 Uriri: West Kanyamkago, North Kanyamkago, Central Kanyamkago, South Kanyamkago, East Kanyamkago
258 Nyatike: Kachien'g, Kanyasa, North Kadem, Macalder/Kanyarwanda, Kaler, Got Kachola, Muhuru
259 Kuria West: Bukira East, Bukira Central/Ikerege, Isibania, Makerero, Masaba, Tagare, Nyamosense/Komosoko
260 Kuria East: Gokeharaka/Getambwega, Ntimaru West, Ntimaru East, Nyabasi East, Nyabasi West
`,
  // Kisii
  45: `
261 Bonchari: Bomariba, Bogiakumu, Bomorenda, Riana
262 South Mugirango: Tabaka, Boikang'a, Bogetenga, Borabu/Chitago, Moticho, Getenga
263 Bomachoge Borabu: Bombaba Borabu, Boochi Borabu, Bokimonge, Magenche
264 Bobasi: Masige West, Masige East, Bobasi Central, Nyacheki, Bobasi Bogetaorio, Bobasi Chache, Sameta/Mokwerero, Bobasi Boitangare
265 Bomachoge Chache: Majoge Basi, Boochi/Tendere, Bosoti/Sengera
266 Nyaribari Masaba: Ichuni, Nyamasibi, Masimba, Gesusu, Kiamokama
267 Nyaribari Chache: Bobaracho, Kisii Central, Keumbu, Kiogoro, Birongo, Ibeno
268 Kitutu Chache North: Monyerero, Sensi, Marani, Kegogi
269 Kitutu Chache South: Bogusero, Bogeka, Nyakoe, Kitutu Central, Nyatieko
`,
  // Nyamira
  46: `
270 Kitutu Masaba: Rigoma, Gachuba, Kemera, Magombo, Manga, Gesima
271 West Mugirango: Nyamaiya, Bogichora, Bosamaro, Bonyamatuta, Township
272 North Mugirango: Itibo, Bomwagamo, Bokeira, Magwagwa, Ekerenyo
273 Borabu: Mekenene, Kiabonyoru, Nyansiongo, Esise
`,
  // Nairobi
  47: `
274 Westlands: Kitisuru, Parklands/Highridge, Karura, Kangemi, Mountain View
275 Dagoretti North: Kilimani, Kawangware, Gatina, Kileleshwa, Kabiro
276 Dagoretti South: Mutuini, Ngando, Riruta, Uthiru/Ruthimitu, Waithaka
277 Langata: Karen, Nairobi West, Mugumo-ini, South C, Nyayo Highrise
278 Kibra: Laini Saba, Lindi, Makina, Woodley/Kenyatta Golf Course, Sarangombe
279 Roysambu: Githurai, Kahawa West, Zimmerman, Roysambu, Kahawa
280 Kasarani: Clay City, Mwiki, Kasarani, Njiru, Ruai
281 Ruaraka: Baba Dogo, Utalii, Mathare North, Lucky Summer, Korogocho
282 Embakasi South: Imara Daima, Kwa Njenga, Kwa Reuben, Pipeline, Kware
283 Embakasi North: Kariobangi North, Dandora Area I, Dandora Area II, Dandora Area III, Dandora Area IV
284 Embakasi Central: Kayole North, Kayole Central, Kayole South, Komarock, Matopeni/Spring Valley
285 Embakasi East: Upper Savannah, Lower Savannah, Embakasi, Utawala, Mihango
286 Embakasi West: Umoja I, Umoja II, Mowlem, Kariobangi South
287 Makadara: Makongeni, Maringo/Hamza, Harambee, Viwandani
288 Kamukunji: Pumwani, Eastleigh North, Eastleigh South, Airbase, California
289 Starehe: Nairobi Central, Ngara, Ziwani/Kariokor, Pangani, Landimawe, Nairobi South
290 Mathare: Hospital, Mabatini, Huruma, Ngei, Mlango Kubwa, Kiamaiko
`,
};
