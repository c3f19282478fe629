import { makeValidator, reloadable, sensitive } from '@bascule/process';

export interface SealingKey {
  kid: string;
  /** 32 bytes, base64url. */
  k: string;
}

const KEY_BYTES = 32;
const KID = /^[A-Za-z0-9._-]{1,64}$/;

const isSealingKey = (value: unknown): value is SealingKey =>
  typeof value === 'object' &&
  value !== null &&
  'kid' in value &&
  typeof value.kid === 'string' &&
  KID.test(value.kid) &&
  'k' in value &&
  typeof value.k === 'string' &&
  Buffer.from(value.k, 'base64url').length === KEY_BYTES;

/** Reads `[{"kid":"…","k":"…"}]`; the first key seals, the others still open. */
function parseSealingKeys(text: string): SealingKey[] {
  const keys: unknown = JSON.parse(text);
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isSealingKey)) {
    throw new Error('expected [{"kid":"…","k":"<32 bytes, base64url>"}], at least one key');
  }
  if (new Set(keys.map((key) => key.kid)).size < keys.length) {
    throw new Error('expected every kid once');
  }
  return keys;
}

/** A variable of the environment that holds sealing keys. */
export const sealingKeys = (desc: string) =>
  reloadable(sensitive(makeValidator<readonly SealingKey[]>(parseSealingKeys)({ desc })), (keys) =>
    keys.map(({ kid }) => kid),
  );

export const sealedTokenEnv = {
  STATE_TOKEN_KEYS: sealingKeys('keys of state tokens, JSON; the first one seals'),
};
