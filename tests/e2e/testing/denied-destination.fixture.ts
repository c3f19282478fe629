import { tokenIdentifier, type Payment } from '@bascule/contracts';
import { DENY_LIST_TOKEN_CODE, deployCode } from '@bascule/testing';
import { expect } from '@jest/globals';
import { encodeFunctionData, erc20Abi, parseAbi, type Address } from 'viem';
import {
  confirmBody,
  quote,
  quoteAndConfirm,
  reaches,
  type PaymentRequest,
} from '../../../tools/first-payment/payments.js';
import {
  newTestUser,
  newTestUserWith,
  type Stage,
} from '../../../tools/first-payment/test-user.js';
import { parkedBalance, withdraw } from '../../../tools/first-payment/withdraw.js';
import type { StackProcess } from '../../testing/stack-process.fixture.js';
import { addAsset } from './added-asset.fixture.js';
import { sendWithFixedGas } from './crossings/crossing-stand.fixture.js';
import { Miner } from './miner.fixture.js';

const AMOUNT = '20';
const REFUSED = {
  kind: 'destination',
  message: 'The destination would refuse the payout: blocked.',
};

const abi = parseAbi([
  'function mint(address account, uint256 amount)',
  'function blockAccount(address account)',
]);

const denial = (token: Address, account: Address) => ({
  to: token,
  data: encodeFunctionData({ abi, functionName: 'blockAccount', args: [account] }),
});

/** Pays in a token that denies the destination: before the quote, and between deposit and payout. */
export async function runDeniedDestinations(stage: Stage, stack: StackProcess): Promise<Payment> {
  const { chain } = stage;
  const rpcUrl = stage.stack.chains[chain.name]?.rpc_url ?? '';
  const address = await deployCode(rpcUrl, DENY_LIST_TOKEN_CODE);
  const token = tokenIdentifier(chain.name, address);
  const units = await chain.units(token, AMOUNT);
  const minted = [chain.faucet.address, units] as const;
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: minted });
  await chain.send(chain.faucet, { to: address, data: mint });
  const user = await newTestUserWith(chain, token, AMOUNT);
  // The feed is that of another symbol.
  const request = await addAsset(stage, stack, { token, user }, '--sure');

  const { destination: denied } = newTestUser();
  await chain.send(chain.faucet, denial(address, denied));
  await isRefused(stage, { ...request, destination: denied });

  const { payment, depositAddress } = await quoteAndConfirm(stage.api, request);
  const alphanet = new Miner(stage.stack, chain.name);
  await alphanet.standStill();
  try {
    const args = [depositAddress, units] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    await sendWithFixedGas(chain, user.owner, { to: address, data });
    await sendWithFixedGas(chain, chain.faucet, denial(address, user.destination));
    await alphanet.mine();
  } finally {
    await alphanet.goOn();
  }
  const { payment_id } = payment;
  const failed = await reaches(stage.api, payment_id, 'FAILED', 180_000);
  expect(failed.issues).toMatchObject([{ kind: 'parked_fund', classification: 'STUCK', token }]);
  expect(await chain.balance(token, depositAddress)).toBe(units);
  const parked = await parkedBalance(stage.api, payment_id, 'SPW');
  const { payout } = await withdraw(stage.api, user.owner, payment_id, parked);
  expect(await chain.balance(token, user.owner.address)).toBe(payout);
  expect(await chain.balance(token, user.destination)).toBe(0n);
  return reaches(stage.api, payment_id, 'WITHDRAWN');
}

/** Expects the refusal of the quote, and of a confirm whose quote named no destination; nothing is stored. */
async function isRefused({ api }: Stage, request: PaymentRequest): Promise<void> {
  const response = await quote(api, request);
  const [best] = response.quotes;
  const { payment_id = '' } = best ?? {};
  const body = confirmBody(request, payment_id, response.state_token);
  const confirmed = await api.request('POST', '/payments/confirm', { body });
  expect([confirmed.status, confirmed.body]).toEqual([400, { errors: [REFUSED] }]);
  expect((await api.request('GET', '/payments', { query: { payment_id } })).status).toBe(404);

  const { quote_request } = response;
  const dest_address = request.destination;
  const named = { request: { ...quote_request.request, dest_address } };
  const { body: answer, status } = await api.request('POST', '/payments/quotes', { body: named });
  expect(status).toBe(200);
  expect(answer).toMatchObject({
    quotes: [],
    fault: REFUSED,
    failures: [{ service_ids: ['alphanet'], issues: [REFUSED] }],
  });
}
