#!/bin/sh
# The year of a county office that publishes prices of its own beside a feed: an import, corrections, tables that say
# other things than their mapping, a renamed market, a withdrawal, two feeds, a draft that is rejected, a rollback, and
# a restore from a backup. It works on a copy of the bundled data in the folder "practice", which it removes at its end:
#   sh scripts/office-year.sh
# test/programs/office-year.test.ts runs it, and another program counts the published files after each step.
set -e

# Step: A copy of the bundled data, whose prices are those of a feed.
cp -r data practice
export DATA_DIR=practice
FEED=practice/snapshots/$(cat practice/CURRENT)/prices.ndjson

# Step: January: a table of one's own, with totals, and with tins ("debe") that the snapshot does not know. --init
# proposes a mapping; the unit is declared in it.
cat > kitui.csv <<'END'
Date;Market;Type;Commodity;Unit;Price (KSh);Remarks
02/05/2026;Kitui;Retail;Ndengu;Kg;145,50;
02/05/2026;Kitui;Retail;Maize, white;Debe;900,00;
03/05/2026;Kitui;Retail;Ndengu;Kg;1.475,00;
JUMLA;;;;;2.520,50;
END
npm run import:csv -- kitui.csv --init --mapping mapping.json --source "Kitui County"
sed -i 's/"skip_rows"/"units": { "Debe": { "base_unit": "kg", "factor": 18 } },\n  "skip_rows"/' mapping.json
npm run import:csv -- kitui.csv --mapping mapping.json --out kitui-records
npm run snapshot -- append kitui-records --note "Kitui, 2 and 3 May" --by "Kitui office"

# Step: Three corrections: two of the own table, which is imported again, and one of a price of the feed, with its line.
sed -i -e 's/1.475,00/147,50/' -e 's/900,00/936,00/' kitui.csv
npm run import:csv -- kitui.csv --mapping mapping.json --out kitui-records --force
npm run snapshot -- append kitui-records --note "Kitui, corrected" --by "Kitui office"
grep f3faf40b-e013-51db-8734-96f1c3e4ce4e "$FEED" | sed 's/"price":100/"price":105/' > flour.ndjson
npm run snapshot -- append flour.ndjson --note "Flour of Dagahaley" --by "Kitui office"

# Step: A table in thousands, below a title: it is refused until a mapping says so, as are the next one, whose title has
# another currency, and a workbook with a price that is struck out.
cat > second.csv <<'END'
Prices in thousands of shillings;;;;;;
Date;Market;Type;Commodity;Unit;Price (KSh);Remarks
09/05/2026;Kitui;Retail;Ndengu;Kg;0,15;
END
sed 's/"header_row": 1/"header_row": 2/' mapping.json > second.json
! npm run import:csv -- second.csv --mapping second.json --out second-records
sed -i 's/"header_row": 2/"header_row": 2, "scale": 1000/' second.json
npm run import:csv -- second.csv --mapping second.json --out second-records
npm run snapshot -- append second-records --note "Kitui, 9 May" --by "Kitui office"
sed 's/thousands of shillings/thousands of US dollars/' second.csv > third.csv
! npm run import:csv -- third.csv --mapping second.json --out third-records
node --input-type=module -e '
  import { writeFileSync } from "node:fs";
  import { writeXlsx } from "hucre/xlsx";
  const rows = [["Date", "Market", "Type", "Commodity", "Unit", "Price (KSh)", "Remarks"]];
  rows.push(["16/05/2026", "Kitui", "Retail", "Ndengu", "kg", 152, ""]);
  const cells = new Map([["1,5", { style: { font: { strikethrough: true } } }]]);
  writeFileSync("third.xlsx", await writeXlsx({ sheets: [{ name: "May", rows, cells }] }));'
! npm run import:csv -- third.xlsx --mapping mapping.json --out third-records

# Step: A market gets another name. The next table still has its old one, which finds it.
mkdir renamed
MARKETS=practice/snapshots/$(cat practice/CURRENT)/markets.ndjson
sed -n 's/Kitui (Retail)/Kalundu Market/p' "$MARKETS" > renamed/markets.ndjson
npm run snapshot -- append renamed --note "Kalundu Market" --by "Kitui office"
cat > fourth.csv <<'END'
Date;Market;Type;Commodity;Unit;Price (KSh);Remarks
"Saturday, 23rd May 2026";Kitui;Retail;Ndengu;Kg;155,00;
END
sed 's|dd/MM/yyyy|d MMM yyyy|' mapping.json > fourth.json
npm run import:csv -- fourth.csv --mapping fourth.json --out fourth-records
npm run snapshot -- append fourth-records --note "Kitui, 23 May" --by "Kitui office"

# Step: A withdrawal. Beef at 10 shillings was a typing error, and there is no right price.
npm run snapshot -- withdraw 3c027d3b-8472-5ecb-bd5f-78929559820b --reason "Typing error" --by "Kitui office"

# Step: The first feed has dropped its first price and still has the flour at 100 and the beef at 10; corrections and
# withdrawal stay.
mkdir july
sed 1d "$FEED" > july/prices.ndjson
npm run snapshot -- publish july --replace-source WFP --draft --note "WFP export of July" | tee drafted
DRAFT=$(sed -n 's/^drafted \([^ ]*\) .*/\1/p' drafted)
npm run snapshot -- report --draft $DRAFT --out draft.html
npm run snapshot -- approve $DRAFT --by "Achieng Otieno"
JULY=$DRAFT

# Step: A draft that is rejected. Half of the next export is missing, and all prices are ten times too high.
# --allow-shrink lets it become a draft, and no further.
mkdir august
sed -e '1,13000d' -e 's/"price":\([0-9.]*\)/"price":\10/' "$FEED" > august/prices.ndjson
npm run snapshot -- publish august --replace-source WFP --prefer own --allow-shrink --draft 2> warnings | tee drafted
DRAFT=$(sed -n 's/^drafted \([^ ]*\) .*/\1/p' drafted)
npm run snapshot -- reject $DRAFT --reason "Half of the export, ten times too high" --by "Achieng Otieno"

# Step: The second feed has one price more than the first: that of the first line again.
cp "$FEED" august/prices.ndjson
npm run snapshot -- publish august --replace-source WFP --note "WFP export of August"

# Step: A rollback, because the first line was dropped for a reason. What was withdrawn since stays withdrawn.
npm run snapshot -- withdraw 530769d7-198e-5fb3-8ceb-c0c09b3bb742 --reason "Of another market" --by "Kitui office"
npm run snapshot -- rollback $JULY

# Step: A backup and its restore. CURRENT comes first, so that the snapshot that it names is there. Others have seen
# higher announcements than the backup knows, so it goes on above.
tar --create --gzip --file backup.tar.gz -C practice CURRENT announcement.json log.ndjson snapshots
SEEN=$(sed -n 's/.*"sequence": \([0-9]*\).*/\1/p' practice/announcement.json)
rm -rf practice
mkdir practice
tar --extract --gzip --file backup.tar.gz -C practice
npm run snapshot -- verify
npm run snapshot -- announce --above $((SEEN + 5))
npm run snapshot -- log
npm run snapshot -- show --price f3faf40b-e013-51db-8734-96f1c3e4ce4e
npm run snapshot -- show --price 3c027d3b-8472-5ecb-bd5f-78929559820b

# Step: What the steps have made.
rm -r practice kitui.csv mapping.json kitui-records second.csv second.json second-records third.csv third.xlsx
rm -r renamed fourth.csv fourth.json fourth-records flour.ndjson july august drafted warnings draft.html backup.tar.gz
unset DATA_DIR FEED MARKETS DRAFT JULY SEEN
