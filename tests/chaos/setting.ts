import { randomUUID } from 'node:crypto';
import type { TokenIdentifier } from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import type { ChaosStack } from './chaos-stack.js';
import { BusyChain } from './payments/busy-chain.js';
import { openOrganisations } from './payments/organisations.js';
import { RequestLog } from './payments/request-log.js';
import { WebhookInbox } from './payments/webhook-inbox.js';
import { Workload } from './payments/workload.js';
import type { Random } from './random.js';
import { Superuser } from './verify/databases.js';
import { verify, type Verdict } from './verify/verify.js';

const SYMBOLS = ['USDC', 'USDT', 'WBTC', 'WETH', 'ETH'];

/** A running stack with players, their webhooks and a view into all databases. */
export class Setting {
  readonly chains: readonly BusyChain[];
  readonly workload: Workload;
  readonly log: RequestLog;
  readonly inbox: WebhookInbox;
  readonly db: Superuser;
  readonly #fromBlocks: ReadonlyMap<string, bigint>;

  private constructor(
    parts: Pick<Setting, 'chains' | 'workload' | 'log' | 'inbox' | 'db'>,
    fromBlocks: ReadonlyMap<string, bigint>,
  ) {
    this.chains = parts.chains;
    this.workload = parts.workload;
    this.log = parts.log;
    this.inbox = parts.inbox;
    this.db = parts.db;
    this.#fromBlocks = fromBlocks;
  }

  static async open(stack: ChaosStack, file: StackFile, random: Random): Promise<Setting> {
    const chains = ['alphanet', 'betanet'].map((name) => new BusyChain(file, name));
    const fromBlocks = new Map<string, bigint>();
    for (const { name, client } of chains) fromBlocks.set(name, await client.getBlockNumber());
    const log = new RequestLog();
    const inbox = new WebhookInbox();
    await inbox.open();
    const tag = randomUUID().slice(0, 8);
    const organisations = await openOrganisations(stack, file, log, inbox, tag);
    const risingPrices = chains[1];
    if (!risingPrices) throw new Error('there is no second chain');
    const workload = new Workload({ chains, risingPrices, organisations, random });
    const db = new Superuser(stack.adminUrl);
    return new Setting({ chains, workload, log, inbox, db }, fromBlocks);
  }

  verify(): Promise<Verdict> {
    const { chains, inbox, db } = this;
    const { plays } = this.workload;
    return verify({ plays, chains, fromBlocks: this.#fromBlocks, inbox, db });
  }

  /** Every token that is played with, by its identifier. */
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
