import { describe, expect, it } from '@jest/globals';
import { classifyRefusal, type BroadcastRefusal } from './broadcast-refusal.js';

describe("a node's reason not to take a transaction", () => {
  it.each<[string, BroadcastRefusal]>([
    ['already known', 'known'],
    ['transaction already imported', 'known'],
    ['AlreadyKnown', 'known'],
    ['nonce too low: next nonce 7, tx nonce 6', 'nonce_used'],
    ['OldNonce', 'nonce_used'],
    ['replacement transaction underpriced', 'underpriced'],
    ['max fee per gas less than block base fee: address 0x…', 'underpriced'],
    ['FeeTooLow, MaxFeePerGas too low', 'underpriced'],
    ['insufficient funds for gas * price + value', 'unfunded'],
    ['Insufficient funds for gas * price + value', 'unfunded'],
    ['intrinsic gas too low: gas 20000, minimum needed 21000', 'invalid'],
    ['exceeds block gas limit', 'invalid'],
    ['max priority fee per gas higher than max fee per gas', 'invalid'],
    ['invalid chain id for signer', 'invalid'],
    ['header not found', 'unclear'],
    ['fetch failed', 'unclear'],
  ])('%p is read as %p', (message, refusal) => {
    expect(classifyRefusal(message)).toBe(refusal);
  });
});
