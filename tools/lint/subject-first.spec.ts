import { describe, expect, it } from '@jest/globals';
import { Linter, type ESLint } from 'eslint';

const { default: plugin } = (await import(`${import.meta.dirname}/plugin.mjs`)) as {
  default: ESLint.Plugin;
};

const problemsIn = (code: string): string[] =>
  new Linter()
    .verify(code, [{ plugins: { bascule: plugin }, rules: { 'bascule/subject-first': 'error' } }])
    .map(({ message }) => message);

describe('subject-first', () => {
  it.each([
    [
      'a doc comment with a relative clause',
      '/** What became of the order. */\nexport const a = 1;',
    ],
    ['a doc comment of several lines', '/**\n * Those that failed, newest first.\n */\nfoo();'],
    ['a doc comment with a pronoun', '/** It is locked first. */\nfoo();'],
    ['an error', "throw new Error('What the owner is on base is not known now.');"],
    ['an error that states an absence', "throw new NotFoundError('There is no such payment.');"],
    ['a template', 'throw new Error(`Nobody answers on ${port}`);'],
    [
      'a later argument of an error',
      "throw new ProviderError('unavailable', 'Of 3 nodes 2 fail');",
    ],
    ['a log message', "logger.warn({ order }, 'what a node tells is not so');"],
    ['a message property', "reply({ message: 'There is nothing to withdraw.' });"],
    ['a help text of a metric', "gauge({ help: 'What went wrong, by source.' });"],
    ['a title of a test', "it('that failed is retried', () => undefined);"],
    ['a title of a table of tests', "it.each([1, 2])('of %p is odd', () => undefined);"],
    ['a title of a tagged table', "test.each`a`('whose $a is odd', () => undefined);"],
    ['a title of a group of tests', "describe.each([1])('those of %p', () => undefined);"],
    ['a title of the only test', 'it.only(`what ${name} is`, () => undefined);'],
    ['a factory of errors', "throw notFound('There is no such webhook.');"],
  ])('refuses %s', (_name, code) => {
    expect(problemsIn(code)).toHaveLength(1);
  });

  it.each([
    ['a noun first', '/** Transactions that failed, newest first. */\nfoo();'],
    ['a verb first', '/** Reads what the node reports. */\nfoo();'],
    ['a tag first', '/** @see the README */\nfoo();'],
    ['a plain comment', '// What follows is generated.\nfoo();'],
    ['an error with its subject', "throw new Error('Payment not found.');"],
    ['a longer word', "throw new Error('Offramps are not supported.');"],
    ['a title with a verb first', "it.each([1])('retries what failed: %s', () => undefined);"],
    ['a later argument of a test', "it('retries', 'that failed');"],
    ['a text that is no message', "label('What is this?');"],
  ])('accepts %s', (_name, code) => {
    expect(problemsIn(code)).toEqual([]);
  });
});
