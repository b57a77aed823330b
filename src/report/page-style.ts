/** The style sheet of the report, beside that of the charts. */
import { pageColour, textColours } from "../charts/chart-style.ts";

export const pageStyle = `
:root { color-scheme: light dark; --page: light-dark(${pageColour.light}, ${pageColour.dark});
  --ink: light-dark(${textColours.ink.light}, ${textColours.ink.dark}); --quiet: light-dark(${textColours.quiet.light}, ${textColours.quiet.dark});
  --line: light-dark(#ccd4cc, #3a423c); --soft: light-dark(#f3f6f3, #1b201d); --link: light-dark(#1b6b2f, #7fd493);
  --alert: light-dark(#c1121f, #ff7b72); }
* { box-sizing: border-box; }
body { margin: 0; padding: 0 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--ink);
  overflow-wrap: break-word; }
main, header { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.4rem 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2.8rem 0 .5rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.8rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
a { color: var(--link); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .8rem 0; padding: 0; }
code { font: .86em/1.4 ui-monospace, monospace; }
.quiet { color: var(--quiet); } .alert { color: var(--alert); font-weight: 600; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.8rem, 1fr)); gap: .6rem; margin: 1rem 0; padding: 0; }
.facts div { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .7rem; }
.facts dt { font-size: .85rem; color: var(--quiet); } .facts dd { margin: 0; font-size: 1.15rem; font-weight: 600; }
.facts dd.small { font-size: .95rem; font-weight: 400; color: var(--quiet); }
.wide { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
.caption { color: var(--quiet); font-size: .9rem; margin: .8rem 0 .2rem; } .wide { margin-top: 0; }
th, td { text-align: left; vertical-align: top; padding: .22rem 1.1rem .22rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.date { white-space: nowrap; }
details { margin: .5rem 0; } summary { cursor: pointer; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1rem 2rem; }
.charts .chart { width: 100%; }
.charts article, .maps div { min-width: 0; }
.maps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem 2rem; }
.warnings { list-style: none; padding: 0; margin: .4rem 0; }
.warnings li { padding: .35rem 0; border-bottom: 1px solid var(--line); font-size: .92rem; }
@media (max-width: 40rem) { th, td { padding-right: .7rem; } h1 { font-size: 1.3rem; } }
@media print { details { break-inside: avoid; } article, figure { break-inside: avoid; } }
`;
