import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parsePrivateKey } from '@bascule/identity';
import { VisitorNames } from './visitor-names.js';

const aKey = () => {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return parsePrivateKey(JSON.stringify({ ...jwk, kid: 'k1' }));
};
const key = aKey();
const names = new VisitorNames(key);

describe('the name of a visitor', () => {
  it('is the same in every replica', () => {
    const replica = new VisitorNames(key);
    expect(replica.nameOf('org', '203.0.113.9')).toBe(names.nameOf('org', '203.0.113.9'));
  });

  it('differs by address block, organisation and key', () => {
    const found = [
      names.nameOf('org', '203.0.113.9'),
      names.nameOf('org', '203.0.113.8'),
      names.nameOf('other', '203.0.113.9'),
      new VisitorNames(aKey()).nameOf('org', '203.0.113.9'),
    ];
    expect(new Set(found).size).toBe(4);
    for (const name of found) expect(name).toMatch(/^[\w-]{22}$/);
  });
});
