/**
 * The county of the reader. The address of the start page names it; a cookie, which the form sets, only redirects from
 * the address without a county to the one with it. So no page depends on a cookie.
 */

import { maskSecrets } from "../../contract/credentials.ts";
import { explorerPath } from "../../contract/paths.ts";
import type { PageAddress, PageRedirect } from "../../contract/site-values.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { countyRecord } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderForm, renderHidden, renderSelect } from "../pages/elements.ts";
import type { Markup } from "../pages/markup.ts";
import { addressOf, type PageRequest, pageParameters, readParameters } from "./request.ts";

const cookieName = "county";
const cookieAttributes = "Path=/; SameSite=Lax";
const yearSeconds = 31_536_000;

/** The parameter by which the form asks to keep its county; without a county it is forgotten. */
const keepName = "keep";

/** The form for the county of the reader, and the way to forget it. */
export function renderCountyChoice(request: PageRequest, chosen: CountyRecord | undefined): Markup {
  const { store, words } = request;
  const { catalogue } = store;
  const counties = catalogue.countiesByName.map((id) => [String(id), countyRecord(catalogue, id).name] as const);
  const options = [["", words.say("allOfKenya")] as const, ...counties];
  const forget = chosen && request.pageLink(words.say("forgetCounty"), explorerPath, { county: "", [keepName]: 1 });
  const field = renderSelect("county", words.say("myCounty"), options, String(chosen?.id ?? ""));
  return renderForm(request, request.linkTo(explorerPath), [field, renderHidden(keepName, "1")], forget);
}

/**
 * The address that the start page sends its reader to: from the form to the page of the county, with the cookie; from
 * the address that names nothing to that of the county of the cookie. Undefined for other addresses, and
 * where the county is not in the data.
 *
 * @param cookies The header of the request.
 */
export function redirectToCounty(
  { path, queryText }: PageAddress,
  cookies: string | undefined,
  { catalogue }: Store,
): PageRedirect | undefined {
  const isKnown = (text: string): boolean =>
    /^[1-9]\d?$/.test(text) && catalogue.counties.has(Number(text) as CountyId);
  const parameters = new URLSearchParams(maskSecrets(queryText));
  const kept = readParameters(maskSecrets(queryText), [...pageParameters.start, ...pageParameters.all]);
  const [requested = "", ...more] = parameters.getAll("county");
  if (parameters.has(keepName)) {
    if (more.length > 0 || (requested !== "" && !isKnown(requested))) return undefined;
    const age = requested === "" ? 0 : yearSeconds;
    const cookie = `${cookieName}=${requested}; ${cookieAttributes}; Max-Age=${age}`;
    return { location: addressOf(path, kept), cookie };
  }
  if (parameters.has("county") || kept.size > 0) return undefined;
  const county = countyOfCookie(cookies);
  if (county === undefined || !isKnown(county)) return undefined;
  return { location: addressOf(path, kept, { county }) };
}

/** The value of the cookie, which anyone can set; undefined without one, or with several. */
function countyOfCookie(cookies = ""): string | undefined {
  const start = `${cookieName}=`;
  const found = cookies
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start));
  return found.length === 1 ? found[0]?.slice(start.length) : undefined;
}
