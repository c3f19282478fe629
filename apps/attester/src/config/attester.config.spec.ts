import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parseAttesterConfig } from './attester.config.js';

const SECRET = '07'.repeat(32);
const environment = {
  PORT: '0',
  CHAINS: 'alphanet',
  RPC_URLS_ALPHANET: 'http://127.0.0.1:1',
  ATTESTER_PRIVATE_KEY: `0x${SECRET}`,
};

/** Returns the error of a refused configuration. */
function refusal(wrong: NodeJS.ProcessEnv): string {
  try {
    parseAttesterConfig({ ...environment, ...wrong });
  } catch (error) {
    return String(error);
  }
  return '';
}

describe('the configuration of an attester', () => {
  it('requires only a port, a key and the chains’ endpoints', () => {
    expect(parseAttesterConfig(environment)).toMatchObject({
      PORT: 0,
      HOST: '0.0.0.0',
      signer: `0x${SECRET}`,
    });
  });

  it.each([
    'aws-kms:alias/attester',
    'gcp-kms:projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
    `azure-kv:https://v.vault.azure.net/keys/k/${'0a'.repeat(16)}`,
  ])('takes the location %s as the key', (location) => {
    const config = parseAttesterConfig({ ...environment, ATTESTER_PRIVATE_KEY: location });
    expect(config).toMatchObject({ signer: location, SIGNER_TIMEOUT_MS: 3_000 });
  });

  it('prints no secret', () => {
    const config = parseAttesterConfig(environment);
    expect(inspect(config) + JSON.stringify(config)).not.toContain('0707');
  });

  it('reports every problem', () => {
    const said = refusal({ PORT: 'first', ATTESTER_PRIVATE_KEY: undefined, RPC_URLS_ALPHANET: '' });
    for (const name of ['PORT', 'ATTESTER_PRIVATE_KEY', 'RPC_URLS_ALPHANET']) {
      expect(said).toContain(name);
    }
  });

  it.each([
    ['too short', `0x${SECRET.slice(2)}`],
    ['without its prefix', SECRET],
    ['not in hex', `0x${SECRET.slice(1)}g`],
  ])('is refused with a key that is %s, without printing it', (_why, key) => {
    const said = refusal({ ATTESTER_PRIVATE_KEY: key });
    expect(said).toContain('ATTESTER_PRIVATE_KEY');
    expect(said).not.toContain('0707');
  });
});
