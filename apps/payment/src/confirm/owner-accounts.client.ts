import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { settlesWithin, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { accountOf } from './owner-account.js';
import type { Finding, OwnerAccount } from './owner-account.js';

/** For the chains that a payment needs, */
const PATIENCE_MS = 5_000;
/** and for the others after that. */
const GRACE_MS = 2_000;

/** Asks all chains at once what an owner is there. */
@Injectable()
export class OwnerAccounts {
  constructor(
    private readonly chains: Chains,
    private readonly context: ServiceContext,
  ) {}

  async find(owner: Address, needed: ReadonlySet<string>): Promise<Finding[]> {
    const found = new Map<string, OwnerAccount>();
    const questions = this.chains.all().map((chain) => ({
      name: chain.name,
      answered: this.read(chain, owner).then((account) => found.set(chain.name, account)),
    }));
    const answersOf = (asked: typeof questions) =>
      Promise.allSettled(asked.map(({ answered }) => answered));
    const isNeeded = ({ name }: { name: string }) => needed.has(name);
    await settlesWithin(PATIENCE_MS, answersOf(questions.filter(isNeeded)));
    await settlesWithin(GRACE_MS, answersOf(questions));
    return questions.map(({ name }) => ({
      chain: name,
      account: found.get(name) ?? 'unreadable',
    }));
  }

  private async read({ client, name }: Chain, owner: Address): Promise<OwnerAccount> {
    try {
      return accountOf(await client.getCode({ address: owner }));
    } catch (error) {
      this.context.logger.warn({ err: error, chain: name }, 'the code of an owner is unknown');
      return 'unreadable';
    }
  }
}
