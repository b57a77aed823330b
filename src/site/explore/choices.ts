/** Choices of what a page shows: links, and forms with their fields. */

import type { MarketType } from "../../engine/model/vocabulary.ts";
import type { NavigationLink } from "../pages/frame.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { PageRequest, QueryParameters } from "./request.ts";

/**
 * Links to what a section can show.
 *
 * @param anchor That of the section. @param choices The changes are those of the address.
 */
export function renderChoice(
  request: PageRequest,
  label: string,
  anchor: string,
  choices: readonly (Omit<NavigationLink, "target"> & { readonly changes: QueryParameters })[],
): Markup {
  const items = choices.map(({ text, changes, isCurrent = false }) => {
    const target = `${request.linkWith(changes)}#${anchor}`;
    return markup` <a href="${target}"${isCurrent && markup` aria-current="true"`}>${text}</a>`;
  });
  return markup`<p class="types">${label}:${items}</p>`;
}

/** Links to the types of market that a section can show; undefined where there is one type only. */
export function renderTypes(
  request: PageRequest,
  anchor: string,
  types: readonly MarketType[],
  chosen: MarketType | undefined,
  changes: QueryParameters = {},
): Markup | undefined {
  if (types.length < 2) return undefined;
  const { words } = request;
  const choices = types.map((type) => {
    return { text: words.type(type), changes: { ...changes, type }, isCurrent: type === chosen };
  });
  return renderChoice(request, words.say("typeOfMarket"), anchor, choices);
}

/** A form that requests its page again. @param after Follows its button. */
export function renderForm({ words }: PageRequest, action: string, fields: MarkupValue, after?: Markup): Markup {
  return markup`<form class="choices" action="${action}">
${fields}
<button>${words.say("show")}</button>
${after}</form>`;
}

/** A field that a form sends and does not show; undefined without a value. */
export function renderHidden(name: string, value: string | undefined): Markup | undefined {
  return value === undefined ? undefined : markup`<input type="hidden" name="${name}" value="${value}">`;
}

/** A choice of a form. @param options Value and text. */
export function renderSelect(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Markup {
  const choices = options.map(([value, text]) => {
    return markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`;
  });
  return markup`<label>${label} <select name="${name}">${choices}</select></label>`;
}
