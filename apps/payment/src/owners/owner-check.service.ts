import { Chains, testimonies, witnessesNeeded } from '@bascule/chain';
import type { Chain, ChainView } from '@bascule/chain';
import { invalidField, invalidRequest, unavailable } from '@bascule/contracts';
import type { PaymentPlan } from '@bascule/contracts';
import { settlesWithin, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { accountOf, contractIssues, ownerChains } from './owner-account.js';
import type { Finding, OwnerAccount } from './owner-account.js';
import { SignatureSupportClient } from './signature-support.client.js';

/** Time for the chains that a payment needs. */
const PATIENCE_MS = 5_000;
/** Time for the other chains after that. */
const GRACE_MS = 2_000;

/** Owner as the request names it. */
export interface StatedOwner {
  owner_address: string;
  owner_chain?: string;
  allow_unsafe_owner?: boolean;
}

interface AskedChains {
  chains: readonly Chain[];
  /** Chains without which nothing is decided. */
  needed: ReadonlySet<string>;
}

/** Refuses contract owners that could not sign for the money on every chain of the payment. */
@Injectable()
export class OwnerCheckService {
  constructor(
    private readonly chains: Chains,
    private readonly support: SignatureSupportClient,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Returns the chains of an owner that is a contract; null for a key. A payment over live chains asks no test chain, where
   * anyone deploys for nothing; a payment over test chains asks no live one.
   * @throws ServiceError
   */
  async chainsOf(
    { owner_address, owner_chain, allow_unsafe_owner }: StatedOwner,
    { legs }: PaymentPlan,
  ): Promise<string[] | null> {
    const onLegs = new Set(legs.map(({ chain }) => chain));
    const asked = new Set([...onLegs, ...(owner_chain === undefined ? [] : [owner_chain])]);
    const chains = this.chainsLike(onLegs);
    if (owner_chain !== undefined && !chains.some(({ name }) => name === owner_chain)) {
      throw invalidField(
        ['owner_chain'],
        'Expected a live chain for a payment over live chains, a test chain for one over test chains.',
      );
    }
    const findings = await this.agreedAccounts(owner_address as Address, { chains, needed: asked });
    const owner = ownerChains(findings, { legs: onLegs, asked });
    if (owner.kind === 'everywhere') return null;
    const isAccepted = allow_unsafe_owner === true;
    if (owner.kind === 'unknown') {
      if (isAccepted) return owner.chains.length > 0 ? owner.chains : null;
      throw unavailable(
        `Could not read the owner's account type on ${owner.unreadable.join(', ')}. Try again.`,
      );
    }
    if (isAccepted) return owner.chains;
    const deployed = owner.chains.filter((chain) => onLegs.has(chain));
    const unsupported = await this.withoutSignatures(owner_address as Address, deployed);
    const issues = [
      ...contractIssues(owner.missing, 'does not exist'),
      ...contractIssues(unsupported, 'does not verify signatures (ERC-1271)'),
    ];
    if (issues.length > 0) throw invalidRequest(...issues);
    return owner.chains;
  }

  /** Chains whose contract cannot answer `isValidSignature`. */
  private async withoutSignatures(owner: Address, names: readonly string[]): Promise<string[]> {
    const answers = await Promise.all(
      names.map(async (name) => ({
        name,
        isSupported: await this.support.isSupported(this.chains.get(name), owner),
      })),
    );
    return answers.filter(({ isSupported }) => !isSupported).map(({ name }) => name);
  }

  /** Live chains for a payment over live chains, test chains for one over test chains. */
  private chainsLike(legs: ReadonlySet<string>): Chain[] {
    const kinds = new Set([...legs].map((name) => this.chains.get(name).definition.isTestnet));
    return this.chains.all().filter(({ definition }) => kinds.has(definition.isTestnet));
  }

  /** Reads the owner's account on the chains; a contract, for which a confirm may be refused, needs two of several nodes. */
  private async agreedAccounts(owner: Address, asked: AskedChains): Promise<Finding[]> {
    const findings = await this.findAccounts(asked, (chain) =>
      accountBy(chain.anyNode.client, owner),
    );
    const isKey = findings.every(({ account }) => account !== 'contract');
    return isKey ? findings : this.findAccounts(asked, (chain) => witnessedAccount(chain, owner));
  }

  private async findAccounts(
    { chains, needed }: AskedChains,
    ask: (chain: Chain) => Promise<OwnerAccount>,
  ): Promise<Finding[]> {
    const found = new Map<string, OwnerAccount>();
    const questions = chains.map((chain) => ({
      name: chain.name,
      answered: this.read(chain, ask).then((account) => found.set(chain.name, account)),
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

  private async read(
    chain: Chain,
    ask: (chain: Chain) => Promise<OwnerAccount>,
  ): Promise<OwnerAccount> {
    try {
      return await ask(chain);
    } catch (error) {
      this.context.logger.warn({ err: error, chain: chain.name }, 'owner code could not be read');
      return 'unreadable';
    }
  }
}

const accountBy = async (client: ChainView['client'], owner: Address): Promise<OwnerAccount> =>
  accountOf(await client.getCode({ address: owner }));

/**
 * Account as two nodes show it, or the only one. A contract that the only node of several shows counts as one: nothing is
 * refused for it alone.
 */
async function witnessedAccount(chain: Chain, owner: Address): Promise<OwnerAccount> {
  const told = await testimonies(chain.endpoints, (node) => accountBy(node, owner), String);
  const [first, other] = told;
  if (first === undefined || other?.witnesses === first.witnesses) return 'unreadable';
  const isWitnessed = first.witnesses >= witnessesNeeded(chain);
  return isWitnessed || first.answer === 'contract' ? first.answer : 'unreadable';
}
