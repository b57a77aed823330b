import { InvalidArgumentError } from "commander";

/**
 * How an argument or an option is read.
 *
 * @param read Answers undefined for a text that is not as wanted.
 * @returns A function that throws commander's InvalidArgumentError, which exits as wrong use.
 */
export function checkedArgument<T>(read: (text: string) => T | undefined, wanted: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`Expected ${wanted}.`);
    return value;
  };
}
