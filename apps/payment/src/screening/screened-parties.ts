import type { Issue } from '@bascule/contracts';
import { parseDeclaration } from '@bascule/solidity';
import type { PaymentTerms, TaintCause } from '../life-cycle/payment-record.js';

export type PartyRole = 'owner' | 'destination' | 'fee_receiver' | 'action_target';

/** An address that a payment deals with. */
export interface Party {
  readonly role: PartyRole;
  readonly address: string;
}

export type TaintingAddresses = Pick<PaymentTerms, 'ownerAddress' | 'destinationAddress'>;

/** Parties that taint a payment. */
export const taintingParties = (terms: TaintingAddresses): Party[] => [
  { role: 'owner', address: terms.ownerAddress },
  { role: 'destination', address: terms.destinationAddress },
];

/** Addresses that a payment pays or calls, and its owner; fees for gas go to the operator. */
export function partiesOf(terms: PaymentTerms): Party[] {
  const { legs } = parseDeclaration(terms.declaration);
  const receivers = terms.plan.legs
    .flatMap(({ fees }) => fees)
    .filter(({ kind }) => kind === 'business')
    .map(({ receiver }) => receiver);
  const targets = legs.flatMap(({ customCalls }) => customCalls.map(({ target }) => target));
  return [
    ...taintingParties(terms),
    ...receivers.map((address): Party => ({ role: 'fee_receiver', address })),
    ...targets.map((address): Party => ({ role: 'action_target', address })),
  ];
}

/** Roles of the sanctioned ones among the parties, each once. */
export const sanctionedRoles = (
  parties: readonly Party[],
  sanctioned: ReadonlySet<string>,
): PartyRole[] => [
  ...new Set(
    parties.filter(({ address }) => sanctioned.has(address.toLowerCase())).map(({ role }) => role),
  ),
];

const TAINTING_ROLES = ['owner', 'destination'] as const;

/** The role that taints a payment; the owner where both are sanctioned. */
export const taintCauseOf = (roles: readonly PartyRole[]): TaintCause | undefined =>
  TAINTING_ROLES.find((role) => roles.includes(role));

const ISSUES: Record<PartyRole, Issue> = {
  owner: { kind: 'owner', message: 'The owner address is not allowed.', mitigation: 'change' },
  destination: { kind: 'destination', message: 'The destination address is not allowed.' },
  fee_receiver: {
    kind: 'org_configuration',
    message: 'A receiver of the revenue share is not allowed.',
  },
  action_target: { kind: 'other', message: 'A target of the custom actions is not allowed.' },
};

export const issueOf = (role: PartyRole): Issue => ISSUES[role];
