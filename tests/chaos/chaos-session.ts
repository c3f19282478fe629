import { randomUUID } from 'node:crypto';
import type { TokenIdentifier } from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import type { ChaosStack } from './support/chaos-stack.js';
import { FaucetChain } from './client/faucet-chain.js';
import { openOrganisations } from './client/organisations.js';
import { RequestLog } from './client/request-log.js';
import { WebhookInbox } from './client/webhook-inbox.js';
import { Workload } from './payments/workload.js';
import type { Random } from './support/random.js';
import { Superuser } from './verify/database-rows.js';
import { verify, type Verdict } from './verify/verify.js';

const SYMBOLS = ['USDC', 'USDT', 'WBTC', 'WETH', 'ETH'];

/** A running stack with its workload, webhooks and access to all databases. */
export class ChaosSession {
  readonly chains: readonly FaucetChain[];
  readonly workload: Workload;
  readonly log: RequestLog;
  readonly inbox: WebhookInbox;
  readonly db: Superuser;
  readonly #fromBlocks: ReadonlyMap<string, bigint>;

  private constructor(
    parts: Pick<ChaosSession, 'chains' | 'workload' | 'log' | 'inbox' | 'db'>,
    fromBlocks: ReadonlyMap<string, bigint>,
  ) {
    this.chains = parts.chains;
    this.workload = parts.workload;
    this.log = parts.log;
    this.inbox = parts.inbox;
    this.db = parts.db;
    this.#fromBlocks = fromBlocks;
  }

  static async open(stack: ChaosStack, file: StackFile, random: Random): Promise<ChaosSession> {
    const chains = ['alphanet', 'betanet'].map((name) => new FaucetChain(file, name));
    const fromBlocks = new Map<string, bigint>();
    for (const { name, client } of chains) fromBlocks.set(name, await client.getBlockNumber());
    const log = new RequestLog();
    const inbox = new WebhookInbox();
    await inbox.open();
    const tag = randomUUID().slice(0, 8);
    const organisations = await openOrganisations(stack, file, log, inbox, tag);
    const risingPrices = chains[1];
    if (!risingPrices) throw new Error('the stack has no second chain');
    const workload = new Workload({ chains, risingPrices, organisations, random });
    const db = new Superuser(stack.adminUrl);
    return new ChaosSession({ chains, workload, log, inbox, db }, fromBlocks);
  }

  verify(): Promise<Verdict> {
    const { chains, inbox, db } = this;
    const { payments } = this.workload;
    return verify({ payments, chains, fromBlocks: this.#fromBlocks, inbox, db });
  }

  /** Tokens of all scenarios, by identifier. */
  async tokens(): Promise<Map<TokenIdentifier, { symbol: string; decimals: number }>> {
    const tokens = new Map<TokenIdentifier, { symbol: string; decimals: number }>();
    for (const chain of this.chains) {
      for (const symbol of SYMBOLS) {
        const token = chain.token(symbol);
        tokens.set(token, { symbol, decimals: await chain.decimals(token) });
      }
    }
    return tokens;
  }

  async close(): Promise<void> {
    this.inbox.close();
    await this.db.close();
  }
}
