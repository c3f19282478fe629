import type { ErrorBody, Payment, QuoteState } from '@bascule/contracts';
import { rpcCall } from '@bascule/local-stack';
import { startLyingNode, startTestChain } from '@bascule/testing';
import type { LyingNode, TestChain } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  multicall3Abi,
  numberToHex,
  padHex,
  toFunctionSelector,
} from 'viem';
import type { Address, Hex } from 'viem';
import { aPlan, aQuote, aQuoteRequest, aQuoteState, WETH } from '../testing/a-quote.fixture.js';
import { askedOf, continuation } from '../testing/owner-signatures.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

/** At 3,000 dollars for one WETH. */
const LARGE = '0.5';
/** Returns the magic value for every signature. */
const ACCEPTING_CODE = '0x631626ba7e60e01b60005260206000f3';
/** Returns zero for every signature. */
const REFUSING_CODE = '0x600060005260206000f3';
/** Bytes that no key signed. */
const ANY_SIGNATURE: Hex = `0x${'11'.repeat(65)}`;
const IS_VALID_SIGNATURE = toFunctionSelector('isValidSignature(bytes32,bytes)');
const TRANSFER = toFunctionSelector('transfer(address,uint256)');
const VALID = padHex('0x1626ba7e', { dir: 'right', size: 32 });
const INVALID = numberToHex(0, { size: 32 });
const REVERTED = { error: { code: 3, message: 'execution reverted' } };

/** The payout is simulated; the owner of a large one has to sign. */
function stateOf({ output }: { output?: string } = {}): QuoteState {
  const quote = output === undefined ? {} : { output_amount: { asset: WETH, amount: output } };
  return aQuoteState({
    quotes: [{ quote: { ...aQuote(), ...quote }, plan: aPlan() }],
    quote_request: { ...aQuoteRequest(), allow_unsafe_transfer_out: false },
  });
}

describe.each([
  ['three', 2],
  ['two', 1],
])('a confirm beside a lying node, the first of %s', (_, honestNodes) => {
  let chain: TestChain;
  let liar: LyingNode;
  let client: PaymentServiceClient;
  let lastOwner = 0xba5c0000n;

  beforeAll(async () => {
    chain = await startTestChain();
    liar = await startLyingNode(chain.rpcUrl);
    const honest = Array.from({ length: honestNodes }, () => chain.rpcUrl);
    client = await PaymentServiceClient.start({
      RPC_URLS_ALPHANET: [liar.url, ...honest].join(','),
    });
  });
  afterEach(() => liar.lies.clear());
  afterAll(async () => {
    await client.stop();
    await liar.stop();
    await chain.stop();
  });
  const canAgree = honestNodes > 1;
  /** Status of a confirm that the honest nodes let pass. */
  const passed = canAgree ? 200 : 503;

  async function contractOwner(code: Hex): Promise<Address> {
    lastOwner += 1n;
    const owner = getAddress(numberToHex(lastOwner, { size: 20 }));
    await rpcCall(chain.rpcUrl, 'anvil_setCode', [owner, code]);
    return owner;
  }
  const lieAboutSignatures = (answer: Hex): void => {
    liar.lies.set('eth_call', async ({ params: [call] }, honest) => {
      const { data } = call as { data?: Hex };
      if (data?.includes(IS_VALID_SIGNATURE.slice(2)) !== true) return honest();
      const asked = decodeFunctionData({ abi: multicall3Abi, data });
      if (asked.functionName !== 'aggregate3') return honest();
      const result = asked.args[0].map(() => ({ success: true, returnData: answer }));
      return {
        result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
      };
    });
  };
  const confirm = async (state: QuoteState, stated: object = {}) =>
    client.confirm(await client.aConfirmation({ allow_unsafe_owner: false, ...stated }, state));

  it('is not refused for a payout that only that node refuses', async () => {
    let lies = 0;
    liar.lies.set('eth_call', async ({ params: [call] }, honest) => {
      if ((call as { data?: Hex }).data?.startsWith(TRANSFER) !== true) return honest();
      lies += 1;
      return REVERTED;
    });
    expect((await confirm(stateOf())).status).toBe(passed);
    expect(lies).toBeGreaterThan(0);
  });

  it('is not refused for an owner that is a contract on that node alone', async () => {
    liar.lies.set('eth_getCode', () => Promise.resolve({ result: REFUSING_CODE }));
    expect((await confirm(stateOf())).status).toBe(passed);
  });

  it('is not refused for a contract that does not answer on that node alone', async () => {
    const owner_address = await contractOwner(ACCEPTING_CODE);
    lieAboutSignatures('0x');
    expect((await confirm(stateOf(), { owner_address })).status).toBe(passed);
  });

  async function verify(code: Hex, lie: Hex) {
    const owner_address = await contractOwner(code);
    const { body } = await confirm(stateOf({ output: LARGE }), { owner_address });
    const asked = askedOf(body);
    lieAboutSignatures(lie);
    const answer = await client.request<Payment & ErrorBody>('/payments/confirm', {
      method: 'POST',
      body: await continuation(asked, () => Promise.resolve(ANY_SIGNATURE)),
    });
    const verified = await client.admin.query<unknown[]>(
      'SELECT chain FROM owner_verifications WHERE address = $1',
      [owner_address.toLowerCase()],
    );
    return { status: answer.status, verified: verified.length };
  }

  it('verifies no owner whose signature that node alone accepts', async () => {
    const status = canAgree ? 401 : 503;
    expect(await verify(REFUSING_CODE, VALID)).toEqual({ status, verified: 0 });
  });

  it('refuses no signature that that node alone refuses', async () => {
    const answer = await verify(ACCEPTING_CODE, INVALID);
    expect(answer).toEqual({ status: passed, verified: canAgree ? 1 : 0 });
  });
});
