import type { Payment, Quote, TokenIdentifier } from '@bascule/contracts';
import { parseDeclaration } from '@bascule/solidity';
import { Chain } from './chain.js';
import { check, checkEqual } from './check.js';
import { openCheckout, payAt } from './onramp.js';
import { fundingPageUrl, quoteAndConfirm, reaches } from './payments.js';
import { fund } from './swap.js';
import { newTestUser, type Stage } from './test-user.js';
import { verifyCompleted } from './verify-completed.js';

interface Purchase {
  title: string;
  /** Symbol of a token, or a fiat code. */
  give: string;
  get: { symbol: string; amount: string; chain?: string };
}

const PURCHASES: readonly Purchase[] = [
  { title: 'a swap', give: 'USDC', get: { symbol: 'WETH', amount: '0.01' } },
  { title: 'a plain transfer', give: 'USDC', get: { symbol: 'USDC', amount: '12.5' } },
  { title: 'a purchase', give: 'usd', get: { symbol: 'USDC', amount: '100' } },
  { title: 'a crossing', give: 'USDC', get: { symbol: 'WETH', amount: '0.01', chain: 'betanet' } },
];

const COMPLETES_WITHIN_MS = 120_000;

/** Returns the completed payments; each destination holds at least the amount that was asked for. */
export async function runExactOutputs(stage: Stage): Promise<Payment[]> {
  const completed: Payment[] = [];
  for (const purchase of PURCHASES) completed.push(await runPurchase(stage, purchase));
  return completed;
}

async function runPurchase(stage: Stage, { title, give, get }: Purchase): Promise<Payment> {
  const { api, chain, stack, timeline, webhooks } = stage;
  const target = get.chain === undefined ? chain : new Chain(stack, get.chain);
  const output = target.token(get.symbol);
  const isFiat = give === give.toLowerCase();
  timeline.title(
    `exact output: ${title} (${give} on ${chain.name} for exactly ${get.amount} ${get.symbol} on ${target.name})`,
  );
  const user = newTestUser();
  const { quote, payment, depositAddress } = await quoteAndConfirm(api, {
    input: isFiat ? give : chain.token(give),
    output: { asset: output, amount: get.amount },
    owner: user.owner.address,
    destination: user.destination,
    choose: lowestInput,
  });
  const input = inputOf(quote);
  timeline.event(
    'quoted',
    `${input} ${give} for about ${quote.output_amount.amount} ${get.symbol}`,
  );
  const fixed = await target.units(output, get.amount);
  const { legs } = parseDeclaration(payment.declaration);
  checkEqual('the declared minimum is the fixed output', legs.at(-1)?.minOutput, fixed);
  timeline.event('confirmed', `payment ${payment.payment_id}`);
  timeline.holds(`its declaration makes the deposit address ${depositAddress}`);

  if (isFiat) await payAt(await openCheckout(fundingPageUrl(payment)));
  else await endowAndFund(stage, { user, payment, token: chain.token(give), amount: input });
  timeline.event('funded', `${input} ${give}`);

  const completed = await reaches(api, payment.payment_id, 'COMPLETE', COMPLETES_WITHIN_MS);
  const held = await verifyCompleted([...new Set([chain, target])], completed);
  check('the destination holds at least the fixed output', held >= fixed, { held, fixed });
  timeline.event('COMPLETE', `paid out ${completed.fulfilled.output_amount.amount} ${get.symbol}`);
  timeline.holds(`the destination holds at least ${get.amount} ${get.symbol} on ${target.name}`);
  await webhooks.waitFor(payment.payment_id, 'COMPLETE');
  timeline.event('webhook', 'WORKFLOW_COMPLETED, signed over its raw body');
  return completed;
}

/** Amount that the first step of a quote consumes. */
function inputOf({ route }: Quote): string {
  const amount = route[0]?.net_effect.consume[0]?.amount;
  if (amount === undefined) throw new Error('the quote consumes nothing');
  return amount;
}

/** Quotes are sorted by their expected output; a payer of a fixed output looks for the lowest input. */
const lowestInput = (quotes: Quote[]): Quote | undefined =>
  [...quotes].sort((a, b) => Number(inputOf(a)) - Number(inputOf(b)))[0];

async function endowAndFund(
  stage: Stage,
  o: {
    user: ReturnType<typeof newTestUser>;
    payment: Payment;
    token: TokenIdentifier;
    amount: string;
  },
): Promise<void> {
  const { chain } = stage;
  await chain.endow(o.user.owner.address, o.token, await chain.units(o.token, o.amount));
  await fund(stage, o.user, o.payment);
}
