/** List items of a Markdown text, each as one line without its dash; items go on in indented lines. */
export function listItems(text: string): string[] {
  return [...text.matchAll(/^- (.*(?:\n {2,}\S.*)*)/gm)].map(([, item = ""]) => item.replace(/\n\s+/g, " "));
}

/** The text below the heading `## title` of a Markdown page, up to the next one of its level. */
export function sectionOf(page: string, title: string): string {
  const [, rest] = page.split(`\n## ${title}\n`);
  if (rest === undefined) throw new Error(`The page has no section "${title}".`);
  return rest.split("\n## ")[0] ?? "";
}
