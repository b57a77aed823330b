import t from "tap";
import { countyOfDistrict, sameLetters } from "../../../src/importers/wfp/county-of-district.ts";

t.test("a county is found whatever its case, accents and punctuation", async (t) => {
  t.equal(countyOfDistrict("Mombasa"), 1);
  t.equal(countyOfDistrict("Tharaka Nithi"), 13);
  t.equal(countyOfDistrict("Taita/Taveta"), 6);
  t.equal(countyOfDistrict("MURANG’A"), 21);
  t.equal(countyOfDistrict("Muranga"), 21);
  t.equal(countyOfDistrict("Trans-Nzoia"), 26);
  t.equal(countyOfDistrict("Elgeyo Marakwet"), 28);
  t.equal(countyOfDistrict("HomaBay"), 43);
  t.equal(countyOfDistrict("Nairobi City"), 47);
});

t.test("a former district inside one county is that county", async (t) => {
  t.equal(countyOfDistrict("Ijara"), 7);
  t.equal(countyOfDistrict("Moyale"), 10);
});

t.test("a district that is no county, or none at all, is not guessed", async (t) => {
  for (const district of ["Meru North", "Meru South", "Rift Valley", "", "Nairo"]) {
    t.equal(countyOfDistrict(district), undefined, district);
  }
});

t.test("sameLetters looks at letters only", async (t) => {
  t.equal(sameLetters("Tharaka Nithi", "Tharaka-Nithi"), true);
  t.equal(sameLetters("Kitui", "Kitale"), false);
});
