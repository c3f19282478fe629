import { makeValidator, milliseconds, sensitive, url } from '@bascule/process';
import { secp256k1 } from '@noble/curves/secp256k1';
import { isAddress } from 'viem';
import type { Address, Hex } from 'viem';

/** Place of a key. */
export type KeyLocation =
  | { readonly kind: 'local'; readonly privateKey: Hex }
  | { readonly kind: 'aws-kms'; readonly keyId: string }
  | { readonly kind: 'gcp-kms'; readonly name: string }
  | { readonly kind: 'azure-kv'; readonly id: string };

export interface SignerLocation {
  readonly key: KeyLocation;
  /** Address that the key must have, where the location names one. */
  readonly expected: Address | undefined;
}

const LOCAL = /^0x[0-9a-fA-F]{64}$/;
const AWS_KEY =
  /^(arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:(key|alias)\/[\w/-]+|alias\/[\w/-]+|(mrk-)?[0-9a-f-]{32,36})$/;
const GOOGLE_KEY =
  /^projects\/[\w:.-]+\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/[1-9]\d*$/;
const AZURE_KEY = /^https:\/\/[a-z0-9.-]+\/keys\/[0-9A-Za-z-]+\/[0-9a-f]{32}$/;

/** @throws Error that does not repeat the location, which may be a private key */
export function parseSignerLocation(location: string): SignerLocation {
  const [where = '', expected, ...more] = location.split('#');
  if (more.length > 0 || (expected !== undefined && !isAddress(expected))) {
    throw new Error('expected one address with its checksum behind #');
  }
  return { key: parseKey(where), expected };
}

function parseKey(where: string): KeyLocation {
  if (where.startsWith('0x')) return localKey(where);
  const colon = where.indexOf(':');
  const [kind, name] = [where.slice(0, colon), where.slice(colon + 1)];
  if (kind === 'aws-kms' && AWS_KEY.test(name)) return { kind, keyId: name };
  if (kind === 'gcp-kms' && GOOGLE_KEY.test(name)) return { kind, name };
  if (kind === 'azure-kv' && AZURE_KEY.test(name)) return { kind, id: name };
  throw new Error(
    'expected 32 bytes of hex, aws-kms:<id or ARN>, gcp-kms:projects/…/cryptoKeyVersions/<n> or ' +
      'azure-kv:https://<vault>/keys/<name>/<version>',
  );
}

function localKey(text: string): KeyLocation {
  if (!LOCAL.test(text)) throw new Error('expected 32 bytes of hex');
  if (!secp256k1.utils.isValidPrivateKey(text.slice(2))) {
    throw new Error('expected a private key of secp256k1');
  }
  return { kind: 'local', privateKey: text as Hex };
}

const checked = (location: string): string => {
  parseSignerLocation(location);
  return location;
};

/** Variable with the location of one key; prints as `***`, as it may be the key itself. */
export const signerLocation = (spec: { desc: string }) =>
  sensitive(makeValidator<string>((input) => checked(input.trim()))(spec));

/** Variable with the locations of several keys, separated by commas. */
export const signerLocations = (spec: { desc: string; default?: readonly string[] }) =>
  sensitive(
    makeValidator<readonly string[]>((input) => {
      const locations = input.split(',').map((item) => checked(item.trim()));
      if (new Set(locations).size < locations.length) throw new Error('a key is listed twice');
      return locations;
    })(spec),
  );

const endpoint = (service: string) =>
  url({ default: undefined, desc: `another endpoint of ${service}, such as a private one` });

export const signersEnv = {
  SIGNER_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 3_000,
    desc: 'time limit of one request to a key management service',
  }),
  AWS_ENDPOINT_URL_KMS: endpoint('AWS KMS'),
  GCP_KMS_ENDPOINT: endpoint('Google Cloud KMS'),
  AZURE_KEY_VAULT_ENDPOINT: endpoint('the vault'),
};
