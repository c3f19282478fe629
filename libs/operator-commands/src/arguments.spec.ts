import { describe, expect, it } from '@jest/globals';
import { oneOf, parseArguments, requiredFlag, textFlags, uuidArgument } from './arguments.js';
import { UsageError } from './operator-error.js';

const OPTIONS = { ...textFlags('name', 'label'), all: { type: 'boolean' } } as const;

describe('arguments of a command', () => {
  it('can mix flags and positionals in any order', () => {
    const { values, positionals } = parseArguments(['list', '--name', 'x', '--all', '7'], OPTIONS);
    expect({ ...values }).toEqual({ name: 'x', all: true });
    expect(positionals).toEqual(['list', '7']);
  });

  it.each([['--colour', 'red'], ['--name'], ['--all=yes']])('refuse %s %s', (...argv) => {
    expect(() => parseArguments(argv, OPTIONS)).toThrow(UsageError);
  });

  it('refuse a required flag that is absent or blank', () => {
    expect(requiredFlag({ name: ' x ' }, 'name')).toBe('x');
    expect(() => requiredFlag({ name: ' ' }, 'name')).toThrow('--name is missing');
    expect(() => requiredFlag<'name'>({}, 'name')).toThrow(UsageError);
  });

  it('refuse malformed ids and unknown choices', () => {
    const id = '0190b2c3-0000-7000-8000-000000000001';
    expect(uuidArgument(id, 'not an id')).toBe(id);
    expect(() => uuidArgument(undefined, 'not an id')).toThrow('not an id');
    expect(() => uuidArgument(`${id}0`, 'not an id')).toThrow(UsageError);
    expect(oneOf('b', ['a', 'b'])).toBe('b');
    expect(() => oneOf('c', ['a', 'b'])).toThrow('expected one of a, b, got c');
  });
});
