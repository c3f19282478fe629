import { Chains, kindByCode, secondedRefusal, witnessedView } from '@bascule/chain';
import type { AccountKind, Chain, ChainView } from '@bascule/chain';
import { invalidRequest } from '@bascule/contracts';
import { readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { isChainOfLeg } from './chain-of-leg.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';

/** Checks that the owner's contract can sign on a chain; confirming the payment checked only the legs' chains. */
@Injectable()
export class OwnerContractClient {
  constructor(
    private readonly chains: Chains,
    private readonly settings: WithdrawalSettings,
  ) {}

  /** @throws ServiceError when the owner is a contract that is not deployed on this chain */
  async requireDeployed(chain: Chain, payment: ProjectedPayment): Promise<void> {
    const home = await this.elsewhere(chain, payment);
    if (home === null) return;
    const { network } = chain.definition;
    throw invalidRequest({
      kind: 'other',
      message:
        `The owner is a contract on ${home.definition.network} without code on ${network}, ` +
        `so it cannot sign there. Deploy it on ${network} at the same address first.`,
    });
  }

  /** Returns the chain of an owner's contract that does not exist on this one; null where the owner can sign here. */
  private async elsewhere(chain: Chain, payment: ProjectedPayment): Promise<Chain | null> {
    if (isChainOfLeg(chain, payment)) return null;
    const owner = payment.ownerAddress as Address;
    const hasCode = async (view: ChainView) => (await kindOf(view, owner)) !== 'codeless';
    if (await this.inTime(chain, hasCode(chain.anyNode))) return null;
    const home = await this.homeOf(owner, chain);
    if (home === null) return null;
    // One node that hides the owner's code is no reason to refuse.
    return (await this.inTime(chain, witnessedView(chain, hasCode))) ? null : home;
  }

  /**
   * Finds a chain where the owner is a contract, by two of several nodes; chains that are unreadable, or whose nodes
   * disagree, are skipped.
   */
  private async homeOf(owner: Address, except: Chain): Promise<Chain | null> {
    const found = await Promise.all(
      this.chains
        .all()
        .filter(({ name }) => name !== except.name)
        .map(async (chain) => {
          const answer = secondedRefusal(
            chain,
            (view) => kindOf(view, owner),
            (kind) => kind === 'contract',
          );
          const kind = await this.inTime(chain, answer).catch(() => null);
          return kind === 'contract' ? chain : null;
        }),
    );
    return found.find((chain) => chain !== null) ?? null;
  }

  private inTime<T>({ name }: Chain, answer: Promise<T>): Promise<T> {
    return readChain(name, this.settings.balanceTimeoutMs, answer);
  }
}

const kindOf = async ({ client }: ChainView, address: Address): Promise<AccountKind> =>
  kindByCode(await client.getCode({ address }));
