import { describe, expect, it } from '@jest/globals';
import type { Verification } from '@bascule/contracts';
import { matchSignatures, signatureProblems } from './matched-signatures.js';
import type { GivenSignature } from './matched-signatures.js';

const ASKED: Verification[] = [
  { reason: 'EVM_OWNER', signature_type: 'EIP191', payload: 'text' },
  { reason: 'EVM_WITHDRAWAL', signature_type: 'EIP712', payload: '{"chain":1}' },
  { reason: 'EVM_WITHDRAWAL', signature_type: 'EIP712', payload: '{"chain":2}' },
];
const owner: GivenSignature = { reason: 'EVM_OWNER', signature: '0x01' };
const first: GivenSignature = { reason: 'EVM_WITHDRAWAL', signature: '0x02' };
const second: GivenSignature = { reason: 'EVM_WITHDRAWAL', signature: '0x03' };

const pathsOf = (given: GivenSignature[], asked = ASKED) =>
  signatureProblems(given, asked).map(({ path }) => path.join('.'));

describe('signatures of a continue', () => {
  it('answer one round or both', () => {
    for (const given of [[owner], [first, second], [first, owner, second]]) {
      expect(pathsOf(given)).toEqual([]);
    }
  });

  it('keep the order of their reason', () => {
    const matched = matchSignatures([first, owner, second]);
    expect(matched.get('EVM_OWNER')).toEqual(['0x01']);
    expect(matched.get('EVM_WITHDRAWAL')).toEqual(['0x02', '0x03']);
    expect(matchSignatures([owner]).has('EVM_WITHDRAWAL')).toBe(false);
  });

  it('are refused when a round is incomplete, or has too many', () => {
    expect(pathsOf([first])).toEqual(['signatures']);
    expect(pathsOf([owner, owner])).toEqual(['signatures']);
  });

  it('are refused for reasons that were not asked for, and with another type', () => {
    expect(pathsOf([first, second], ASKED.slice(0, 1))).toEqual([
      'signatures.0.reason',
      'signatures.1.reason',
    ]);
    expect(pathsOf([{ ...owner, signature_type: 'EIP712' }])).toEqual([
      'signatures.0.signature_type',
    ]);
    expect(pathsOf([{ ...owner, signature_type: 'EIP191' }])).toEqual([]);
  });
});
