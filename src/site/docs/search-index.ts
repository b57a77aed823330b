/** The index of the search of the documentation: MiniSearch over the entries of `search-entries.ts`. */

import MiniSearch, { type Query, type SearchOptions } from "minisearch";
import type { Endpoint } from "../../contract/endpoint.ts";
import { searchRuns } from "../../engine/model/folded-text.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
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

/** The number of words of a question that are searched; further ones are ignored. */
const wordsMax = 8;

/** Words of fewer letters are searched as they are: they begin, or resemble, too many others. */
const prefixLettersMin = 3;
const fuzzyLettersMin = 4;

/** The same where some words of the question suffice: only longer words are specific enough. */
const fuzzyLettersMinAlone = 6;

/** The part of the letters of a word that may be wrong, rounded to whole letters. */
const wrongLetters = 0.2;

const ignoredWords: ReadonlySet<string> = new Set(words.ignored);

/** The terms of the other names of a word of the documentation, by its singular; words with one list are such names. */
const namesOf = new Map<string, readonly string[]>();
for (const [ofDocs, ofReaders] of Object.entries(words.alsoCalled)) {
  const named = ofDocs.split(" ");
  for (const word of named) {
    const others = named.filter((other) => other !== word);
    namesOf.set(singular(word), [...others, ...ofReaders].flatMap(termsOf));
  }
}

/**
 * A word without the ending of an English plural. Of some words it is no word ("sery", "releas"), which does no harm:
 * questions have the same, and the word as it is written beside it.
 */
function singular(word: string): string {
  return word
    .replace(/(?<=\w{2})ies?$/, "y")
    .replace(/(?<=\w(?:[sxz]|[cs]h))es$/, "")
    .replace(/(?<=\w{2}[^su])s$/, "");
}

/** A word as texts and questions have it: in the singular, and as it is written, so that its beginnings find it. */
function termsOf(word: string): string[] {
  return [...new Set([singular(word), word])];
}

/** The terms of a word of a text, its singular first, with those of its other names. */
function indexedTerms(word: string): string[] {
  return [...termsOf(word), ...(namesOf.get(singular(word)) ?? [])];
}

/** The words of a text without those that are ignored. */
function wordsOf(text: string): string[] {
  return searchRuns(text).filter((word) => !ignoredWords.has(word));
}

const common: SearchOptions = {
  tokenize: (term) => [term],
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

/** A sentence of a passage, with the terms of each of its words. */
interface Sentence {
  readonly text: string;
  readonly words: readonly (readonly string[])[];
}

/** An entry whose passages are split into sentences. */
interface IndexedEntry extends Pick<SearchEntry, "target" | "title" | "kind"> {
  readonly passages: readonly (readonly Sentence[])[];
}

const sentenceEnd = /(?<=[.?:;]) /;

/** The search of the documentation of a table of endpoints. */
export class SearchIndex {
  readonly #entries: readonly IndexedEntry[];
  readonly #index: MiniSearch;

  /**
   * Cost: 4 MiB, and 0.1 to 0.2 s in a new thread, which renders all guides for it; other requests of the thread wait.
   */
  constructor(endpoints: readonly Endpoint[]) {
    const entries = searchEntries(endpoints);
    // The sentences share the terms of a word.
    const known = new Map<string, readonly string[]>();
    const sentence = (text: string): Sentence => {
      return { text, words: wordsOf(text).map((word) => getOrInsert(known, word, indexedTerms)) };
    };
    this.#entries = entries.map(({ target, title, kind, passages }) => {
      return { target, title, kind, passages: passages.map((text) => text.split(sentenceEnd).map(sentence)) };
    });
    this.#index = new MiniSearch({
      fields: ["title", "about", "guide", "text", "code"],
      storeFields: ["weight"],
      tokenize: (text) => wordsOf(text).flatMap(indexedTerms),
      // The terms are folded already.
      processTerm: (term) => term,
    });
    this.#index.addAll(entries.map(({ passages, ...entry }, id) => ({ ...entry, id, text: passages.join("\n") })));
  }

  /** Finds the entries that have all words of a question; where none has, those with similar words, then with some. */
  find(question: string): FoundEntries {
    const queries = wordsOf(question)
      .slice(0, wordsMax)
      .map((word): Query => ({ combineWith: "OR", queries: termsOf(word) }));
    for (const [match, options] of searches) {
      const found = this.#index.search({ queries, ...options });
      if (found.length === 0) continue;
      const entries = found.slice(0, entriesMax).map(({ id, terms }) => {
        const { target, title, kind, passages } = this.#entries[id as number] as IndexedEntry;
        return { target, title, kind, excerpt: excerptWith(new Set(terms), passages) };
      });
      return { entries, match };
    }
    return { entries: [], match: "exact" };
  }
}

/** The passage with most words of some terms of the index, from the sentence with most of them on. */
function excerptWith(wanted: ReadonlySet<string>, passages: IndexedEntry["passages"]): string {
  const ofPassages = passages.map((sentences) => sentences.flatMap(({ words: ofSentence }) => ofSentence));
  const passage = passages[withMost(wanted, ofPassages)] ?? [];
  const textFrom = (first: number): string => Array.from(passage.slice(first), ({ text }) => text).join(" ");
  const whole = textFrom(0);
  if (whole.length <= excerptCharactersMax) return whole;
  const ofSentences = passage.map(({ words: ofSentence }) => ofSentence);
  const from = withMost(wanted, ofSentences);
  const [start, text] = [from === 0 ? "" : "… ", textFrom(from)];
  if (text.length <= excerptCharactersMax) return start + text;
  return `${start}${text.slice(0, text.lastIndexOf(" ", excerptCharactersMax))} …`;
}

/**
 * The position of the first of the texts that have most words of some terms, and of these the one that has them most
 * often; 0 where none has one.
 */
function withMost(wanted: ReadonlySet<string>, texts: readonly Sentence["words"][]): number {
  let best = 0;
  let bestScore = 0;
  for (const [at, ofText] of texts.entries()) {
    const hits = ofText.filter((terms) => terms.some((term) => wanted.has(term)));
    const score = new Set(hits.map(([singularOf]) => singularOf)).size + hits.length / excerptWordsMax;
    if (score > bestScore) [best, bestScore] = [at, score];
  }
  return best;
}

/** More than the words of any passage: the number of different words then counts more than their repetitions. */
const excerptWordsMax = 1000;
