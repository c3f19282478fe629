import type { Secret } from './deployment.js';

/** 32 random bytes have about 30 distinct ones; fewer than 20 never happen. */
const LEAST_DISTINCT_BYTES = 20;
const LEAST_CHARACTERS = 16;
const LEAST_DISTINCT_CHARACTERS = 8;
const PLACEHOLDER = /change.?me|^(secret|password|example|placeholder|todo)|(1234|abcd){2}|x{6}/i;
const TEXT = /^[\x20-\x7e]*$/;

/** Describes why a secret could be guessed, without any part of it; undefined where nothing speaks for that. */
export const weaknessOf = ({ kind, value }: Secret): string | undefined =>
  kind === 'bytes' ? weaknessOfBytes(Buffer.from(value, 'base64url')) : weaknessOfText(value);

/** Weakness of a key of random bytes. */
export function weaknessOfBytes(bytes: Uint8Array): string | undefined {
  if (new Set(bytes).size < LEAST_DISTINCT_BYTES) return 'repeats bytes: it is not random';
  return TEXT.test(Buffer.from(bytes).toString('latin1'))
    ? 'is a text: it is not random'
    : undefined;
}

function weaknessOfText(text: string): string | undefined {
  if (text.length < LEAST_CHARACTERS) return `is shorter than ${LEAST_CHARACTERS} characters`;
  if (new Set(text).size < LEAST_DISTINCT_CHARACTERS) return 'repeats characters: it is not random';
  return PLACEHOLDER.test(text) ? 'is a placeholder' : undefined;
}
