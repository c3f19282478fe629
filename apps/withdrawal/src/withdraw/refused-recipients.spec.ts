import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, chainDefinitions } from '@bascule/chain';
import { recipientProblem } from './refused-recipients.js';

const contracts = chainDefinitions.alphanet?.contracts;
if (contracts === undefined) throw new Error('no alphanet');
const wallet = '0x00000000000000000000000000000000000000d1';
const token = '0x00000000000000000000000000000000000000c1';
const check = { contracts, wallet, tokens: [token] };

describe('a recipient', () => {
  it.each([
    ['the zero address', ZERO_ADDRESS],
    ['the wallet itself', wallet],
    ['the token itself', token.toUpperCase().replace('0X', '0x')],
    ['the factory', contracts.oneTimeWalletFactory.toLowerCase()],
    ['the converter', contracts.converter],
    ['the executor', contracts.executor ?? ''],
    ['the wrapped native currency', contracts.wrappedNative],
  ])('may not be %s', (_what, recipient) => {
    expect(recipientProblem(recipient, check)).not.toBeNull();
  });

  it('may be anybody else, another payment’s wallet included', () => {
    expect(recipientProblem('0x00000000000000000000000000000000000000d2', check)).toBeNull();
  });
});
