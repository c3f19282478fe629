import { inspect } from 'node:util';
import { parseConfig } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { signerLocation, signerLocations } from './index.js';
import { parseSignerLocation } from './signer-location.js';

const SECRET = '07'.repeat(32);
const ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const AWS =
  'aws-kms:arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const GOOGLE =
  'gcp-kms:projects/p/locations/europe-west3/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';
const AZURE = `azure-kv:https://v.vault.azure.net/keys/k/${'0a'.repeat(16)}`;

const one = (KEY: string) => parseConfig({ KEY }, { KEY: signerLocation({ desc: 'a key' }) });
const several = (KEYS: string) =>
  parseConfig({ KEYS }, { KEYS: signerLocations({ desc: 'keys' }) });

/** Returns the error of work that throws. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  return '';
}

describe('the location of a key', () => {
  it.each([
    [`0x${SECRET}`, 'local'],
    [AWS, 'aws-kms'],
    ['aws-kms:1234abcd-12ab-34cd-56ef-1234567890ab', 'aws-kms'],
    ['aws-kms:mrk-1234abcd12ab34cd56ef1234567890ab', 'aws-kms'],
    ['aws-kms:alias/bascule/attester', 'aws-kms'],
    [GOOGLE, 'gcp-kms'],
    [AZURE, 'azure-kv'],
  ])('%s is of %s, with or without an address', (location, kind) => {
    expect(parseSignerLocation(location)).toMatchObject({ key: { kind }, expected: undefined });
    expect(parseSignerLocation(`${location}#${ADDRESS}`)).toMatchObject({ expected: ADDRESS });
    expect(one(location).KEY).toBe(location);
  });

  it.each([
    ['no scheme', SECRET],
    ['a short key', `0x${SECRET.slice(2)}`],
    ['a key that is no hex', `0x${SECRET.slice(1)}g`],
    ['zero as the key', `0x${'00'.repeat(32)}`],
    ['a key beyond the order of the curve', `0x${'ff'.repeat(32)}`],
    ['another scheme', 'vault:0707'],
    ['a key without a version at Google', GOOGLE.replace('/cryptoKeyVersions/1', '')],
    ['a key without a version at Azure', AZURE.slice(0, -33)],
    ['a vault without TLS', AZURE.replace('https', 'http')],
    ['a path that leaves the key', GOOGLE.replace('/r/', '/../')],
    ['an address without its checksum', `0x${SECRET}#${ADDRESS.replace('C44C', 'c44C')}`],
    ['an address that is none', `0x${SECRET}#0x07`],
    ['two addresses', `0x${SECRET}#${ADDRESS}#${ADDRESS}`],
  ])('is refused with %s, and not repeated', (_, location) => {
    const refused = refusalOf(() => one(location));
    expect(refused).toContain('KEY: is not valid');
    expect(refused + refusalOf(() => parseSignerLocation(location))).not.toContain('0707');
  });

  it('is printed as ***', () => {
    const config = one(`0x${SECRET}`);
    expect(inspect(config) + JSON.stringify(config)).not.toContain('0707');
  });
});

describe('locations of keys', () => {
  it('are separated by commas', () => {
    expect(several(`0x${SECRET}, ${AWS},${GOOGLE}`).KEYS).toEqual([`0x${SECRET}`, AWS, GOOGLE]);
  });

  it.each([
    ['the same key twice', `${AWS},${AWS}`],
    ['an empty item', `${AWS},`],
  ])('are refused with %s', (_, list) => {
    expect(refusalOf(() => several(list))).toContain('KEYS: is not valid');
  });
});
