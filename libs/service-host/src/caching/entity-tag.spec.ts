import { describe, expect, it } from '@jest/globals';
import { contentHash, entityTag, isKnown } from './entity-tag.js';

describe('an entity tag', () => {
  const tag = entityTag(contentHash(Buffer.from('{}')), 'identity');

  it('is strong, one for each content and encoding, and the same everywhere', () => {
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(entityTag(contentHash(Buffer.from('{}')), 'identity')).toBe(tag);
    const others = [
      entityTag(contentHash(Buffer.from('{ }')), 'identity'),
      entityTag(contentHash(Buffer.from('{}')), 'br'),
      entityTag(contentHash(Buffer.from('{}')), 'gzip'),
    ];
    expect(new Set([tag, ...others]).size).toBe(4);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b",W/"a" , "c"', true],
    ['*', true],
    [' * ', true],
    ['"x, \\"', false],
    ['"b"', false],
    ['a', false],
    ['"A"', false],
    ['"a', false],
    ['', false],
    ['"*"', false],
    [undefined, false],
  ])('%s matches "a": %p', (ifNoneMatch, expected) => {
    expect(isKnown(ifNoneMatch, '"a"')).toBe(expected);
  });

  it('does not split a tag at a comma', () => {
    expect(isKnown('"x,"a","y"', '"a"')).toBe(false);
    expect(isKnown('"x,y", "a"', '"a"')).toBe(true);
  });
});
