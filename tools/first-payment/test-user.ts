import type { TokenIdentifier } from '@bascule/contracts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Address, PrivateKeyAccount } from 'viem';
import { Api } from './api.js';
import { Chain } from './chain.js';
import { loadStack, type Stack } from './stack.js';
import { Timeline } from './timeline.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Everything that a flow plays with. */
export interface Stage {
  stack: Stack;
  api: Api;
  chain: Chain;
  webhooks: WebhookReceiver;
  timeline: Timeline;
  /** Onramp to buy from; those of the sandbox when absent. */
  provider?: string | undefined;
}

export async function openStage(provider?: string): Promise<Stage> {
  const stack = loadStack();
  const api = new Api(stack.base_url, stack.keys.secret);
  const webhooks = new WebhookReceiver(api);
  await webhooks.open();
  const chain = new Chain(stack, 'alphanet');
  return { stack, api, webhooks, chain, timeline: new Timeline(), provider };
}

/** An owner with money of its own, and an empty address to pay to. */
export interface TestUser {
  owner: PrivateKeyAccount;
  destination: Address;
}

export function newTestUser(): TestUser {
  return {
    owner: privateKeyToAccount(generatePrivateKey()),
    destination: privateKeyToAccount(generatePrivateKey()).address,
  };
}

export async function newTestUserWith(
  chain: Chain,
  token: TokenIdentifier,
  amount: string,
): Promise<TestUser> {
  const user = newTestUser();
  await chain.endow(user.owner.address, token, await chain.units(token, amount));
  return user;
}
