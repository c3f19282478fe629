import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS, chainDefinitions, refusedAddresses } from '@bascule/chain';
import { recipientProblem } from './recipient-problem.js';

const contracts = chainDefinitions.alphanet?.contracts;
if (contracts === undefined) throw new Error('no alphanet');
const wallet = '0x10000000000000000000000000000000000000d1';
const token = '0x10000000000000000000000000000000000000c1';
const check = { refused: refusedAddresses(contracts), wallet, tokens: [token] };

describe('a recipient', () => {
  it.each([
    ['the zero address', ZERO_ADDRESS],
    ['an address with a broken checksum', '0x70997970c51812dc3A010C7d01b50e0d17dc79C8'],
    ['a precompile', '0x0000000000000000000000000000000000000004'],
    ['the wallet itself', wallet],
    ['the token itself', `0x${token.slice(2).toUpperCase()}`],
    ['the factory', contracts.oneTimeWalletFactory.toLowerCase()],
    ['the converter', contracts.converter],
    ['the executor', contracts.executor ?? ''],
    ['the wrapped native currency', contracts.wrappedNative],
    ['the multicall contract', contracts.multicall3],
  ])('may not be %s', (_what, recipient) => {
    expect(recipientProblem(recipient, check)).not.toBeNull();
  });

  it('may be any other address, including another payment’s wallet', () => {
    expect(recipientProblem('0x10000000000000000000000000000000000000d2', check)).toBeNull();
  });
});
