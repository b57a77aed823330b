/** The index of the search of the documentation: MiniSearch over the entries of `search-entries.ts`. */

import MiniSearch, { type SearchOptions } from "minisearch";
import type { Endpoint } from "../../contract/endpoint.ts";
import { searchRuns } from "../../engine/model/folded-text.ts";
import { type SearchEntry, searchEntries } from "./search-entries.ts";
import words from "./search-words.json" with { type: "json" };

/** An entry that a question finds. */
export interface FoundEntry extends Pick<SearchEntry, "target" | "title" | "kind"> {
  /** The part of its text that has most of the words; empty where it has code alone. */
  readonly excerpt: string;
}

/** The entries that a question finds, best first. */
export interface FoundEntries {
  readonly entries: readonly FoundEntry[];
  /** Each has all words of the question, or words spelt like them, or only some of these. */
  readonly match: "exact" | "similar" | "partial";
}

/** The most entries that a question finds. */
const entriesMax = 20;

/** Characters of an excerpt, without the marks of what is left out. */
const excerptCharactersMax = 240;

/** The first words of a question count, so many; further ones are ignored. */
const wordsMax = 8;

/** Words of fewer letters are searched as they are: they begin, or resemble, too many others. */
const prefixLettersMin = 3;
const fuzzyLettersMin = 4;

/** The same where the other words of the question are not there either, and a longer word says more. */
const fuzzyLettersMinAlone = 6;

/** The part of the letters of a word that may be wrong, rounded to whole letters. */
const wrongLetters = 0.2;

const ignoredWords: ReadonlySet<string> = new Set(words.ignored);

/** Other names of a word of the documentation, and the words that have such a name. Both are in the singular. */
const namesOf = new Map<string, readonly string[]>();
const namedBy = new Map<string, string[]>();
for (const [word, names] of Object.entries(words.alsoCalled)) {
  namesOf.set(singular(word), names.map(singular));
  for (const name of names) namedBy.getOrInsertComputed(singular(name), () => []).push(singular(word));
}

/** A word without the ending of an English plural. Wrong singulars do no harm: texts and questions have the same. */
function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<=\w{2}[^su])s$/, "");
}

function wordsOf(text: string): string[] {
  return searchRuns(text)
    .filter((word) => !ignoredWords.has(word))
    .map(singular);
}

const common: SearchOptions = {
  tokenize: (question) => wordsOf(question).slice(0, wordsMax),
  boost: { title: 6, about: 3, guide: 1, text: 1, code: 0.3 },
  boostDocument: (_id, _word, stored) => stored?.["weight"] as number,
  prefix: (word) => word.length >= prefixLettersMin,
};

const fuzzyFrom =
  (lettersMin: number): NonNullable<SearchOptions["fuzzy"]> =>
  (word) =>
    word.length >= lettersMin && wrongLetters;

/** The searches for a question in their order. The first that finds something answers it. */
const searches: readonly (readonly [FoundEntries["match"], SearchOptions])[] = [
  ["exact", { ...common, combineWith: "AND" }],
  ["similar", { ...common, combineWith: "AND", fuzzy: fuzzyFrom(fuzzyLettersMin) }],
  ["partial", { ...common, combineWith: "OR", fuzzy: fuzzyFrom(fuzzyLettersMinAlone) }],
];

/** The search of the documentation of a table of endpoints. */
export class SearchIndex {
  readonly #entries: readonly SearchEntry[];
  readonly #index: MiniSearch;

  /** Cost: some 50 ms and 2 MiB, and 60 ms more for the first Markdown of a thread. */
  constructor(endpoints: readonly Endpoint[]) {
    this.#entries = searchEntries(endpoints);
    this.#index = new MiniSearch({
      fields: ["title", "about", "guide", "text", "code"],
      storeFields: ["weight"],
      // A word of a text is found by its other names as well.
      tokenize: (text) => wordsOf(text).flatMap((word) => [word, ...(namesOf.get(word) ?? [])]),
      // The words are folded already.
      processTerm: (word) => word,
    });
    this.#index.addAll(
      this.#entries.map(({ passages, ...entry }, id) => ({ ...entry, id, text: passages.join("\n") })),
    );
  }

  /** Finds the entries that have all words of a question; where none has, those with similar words, then with some. */
  find(question: string): FoundEntries {
    for (const [match, options] of searches) {
      const found = this.#index.search(question, options);
      if (found.length === 0) continue;
      const entries = found.slice(0, entriesMax).map(({ id, terms }) => {
        const { target, title, kind, passages } = this.#entries[id as number] as SearchEntry;
        return { target, title, kind, excerpt: excerptWith(terms, passages) };
      });
      return { entries, match };
    }
    return { entries: [], match: "exact" };
  }
}

/** The passage with most of some words of the index, from the sentence with most of them on. */
function excerptWith(found: readonly string[], passages: readonly string[]): string {
  const wanted = [...new Set(found.flatMap((word) => [word, ...(namedBy.get(word) ?? [])]))];
  const passage = withMost(wanted, passages);
  if (passage.length <= excerptCharactersMax) return passage;
  const text = passage.slice(passage.indexOf(withMost(wanted, passage.split(sentenceEnd))));
  const start = text === passage ? "" : "… ";
  if (text.length <= excerptCharactersMax) return start + text;
  return `${start}${text.slice(0, text.lastIndexOf(" ", excerptCharactersMax))} …`;
}

const sentenceEnd = /(?<=[.?:;]) /;

/** The first of the texts that have most of some words, and of these the one that has them most often. */
function withMost(wanted: readonly string[], texts: readonly string[]): string {
  let best = texts[0] ?? "";
  let bestScore = 0;
  for (const text of texts) {
    const folded = text.toLowerCase();
    const counts = wanted.map((word) => folded.split(word).length - 1).filter((count) => count > 0);
    const score = counts.length + counts.reduce((sum, count) => sum + count, 0) / excerptWordsMax;
    if (score > bestScore) [best, bestScore] = [text, score];
  }
  return best;
}

/** More words than a passage has: how often it has a word never counts more than which words it has. */
const excerptWordsMax = 1000;
