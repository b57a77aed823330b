/**
 * A strict reader of the HTML and SVG that this project writes. It takes only what the templates write on purpose
 * (names of elements and attributes from closed lists, values in double quotes, every element ended), so text from a
 * file that becomes a tag or an attribute shows as an error.
 */

export interface MarkupNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (MarkupNode | string)[];
}

const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z-]*(?:="[^"<>]*")?)*) ?(\/?)>/iy;
const textRun = /[^<>]+/y;
const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const voidElements = ["meta", "base", "br", "hr", "link", "input"];
const names = new Set(
  (
    "svg g defs pattern mask title desc path rect circle text html head body meta style main header footer nav section article h1 h2 h3 h4 p ul ol li a " +
    "table caption thead tbody tr th td details summary div span strong em small time code dl dt dd figure figcaption br hr abbr cite " +
    "aside base link script form label input select optgroup option button pre code blockquote"
  ).split(" "),
);

/**
 * @param targets What `href` and `src` may be; places on the page itself when absent.
 * @returns The root's children.
 * @throws {Error} with the place of what is not as it should be.
 */
export function parseMarkup(text: string, targets: RegExp = /^#/): (MarkupNode | string)[] {
  const root: MarkupNode = { name: "", attributes: {}, children: [] };
  const open: MarkupNode[] = [root];
  let at = text.startsWith("<!doctype html>\n") ? "<!doctype html>\n".length : 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`);
  };
  while (at < text.length) {
    const parent = open.at(-1) as MarkupNode;
    const siblings = parent.children as (MarkupNode | string)[];
    textRun.lastIndex = tag.lastIndex = at;
    const run = textRun.exec(text);
    if (run !== null) {
      siblings.push(unescapeText(run[0]));
      at = textRun.lastIndex;
      continue;
    }
    const match = tag.exec(text);
    if (match === null) fail("no tag");
    const [, end, name = "", attributes = "", selfEnd] = match as RegExpExecArray;
    if (!names.has(name)) fail(`element ${name}`);
    if (end === "/") {
      if (parent.name !== name) fail(`end of ${name} within ${parent.name}`);
      open.pop();
    } else {
      const node: MarkupNode = { name, attributes: attributesOf(attributes, targets), children: [] };
      siblings.push(node);
      if (selfEnd !== "/" && !voidElements.includes(name)) open.push(node);
    }
    at = tag.lastIndex;
  }
  if (open.length > 1) fail(`${open.at(-1)?.name} is not ended`);
  return root.children as (MarkupNode | string)[];
}

function attributesOf(text: string, targets: RegExp): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(/ ([a-zA-Z-]+)(?:="([^"]*)")?/g)) {
    if (/^on|^(?:style|xlink)$/i.test(name)) throw new Error(`attribute ${name}`);
    if (/^(?:href|src|action)$/i.test(name) && !targets.test(value)) throw new Error(`attribute ${name}`);
    if (name in found) throw new Error(`attribute ${name} twice`);
    found[name] = unescapeText(value);
  }
  return found;
}

function unescapeText(text: string): string {
  return text.replace(/&([^;\s]*);?/g, (whole, name: string) => {
    const character = references[name];
    if (character === undefined || !whole.endsWith(";")) throw new Error(`character reference ${whole}`);
    return character;
  });
}

/** All elements below some nodes, in order, that a condition holds for. */
export function findNodes(
  nodes: readonly (MarkupNode | string)[],
  isWanted: (node: MarkupNode) => boolean,
): MarkupNode[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return [...(isWanted(node) ? [node] : []), ...findNodes(node.children, isWanted)];
  });
}

/** Elements with a class. */
export function nodesOfClass(nodes: readonly (MarkupNode | string)[], className: string): MarkupNode[] {
  return findNodes(nodes, ({ attributes }) => (attributes["class"] ?? "").split(" ").includes(className));
}

/** The text within nodes. */
export function textWithin(nodes: readonly (MarkupNode | string)[]): string {
  return nodes.map((node) => (typeof node === "string" ? node : textWithin(node.children))).join("");
}

/** What a data file may hold to break out of a page. */
export const hostileText =
  `</title></svg><script>alert(1)</script><img src=x onerror=alert(1)>"' onload="alert(1)" ` +
  `&lt;&amp; \u202egnp.exe\u0000\ud800 ]]> -->`;
