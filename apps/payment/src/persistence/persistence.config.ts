import { priceEntity } from '@bascule/catalogue-projection';
import { CountryRulesEntity } from '@bascule/country-rules';
import { ProjectSwitches1799700000000, SwitchesEntity } from '@bascule/switches';
import { idempotencyEntities, idempotencyMigrations } from '@bascule/idempotency';
import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { transactionEntities, transactionMigrations } from '@bascule/transactions';
import { screeningEntities, screeningMigrations } from '@bascule/screening';
import { AssetEntity } from './asset.entity.js';
import { ChainCursorEntity } from './chain-cursor.entity.js';
import { CheckoutEntity } from './checkout.entity.js';
import { DepositEntity } from './deposit.entity.js';
import { EmptyWalletEntity } from './empty-wallet.entity.js';
import { LegEntity } from './leg.entity.js';
import { CrossChains1796400000000 } from './migrations/cross-chains.migration.js';
import { CreatePayments1795200000000 } from './migrations/create-payments.migration.js';
import { IndexHistory1797900000000 } from './migrations/index-history.migration.js';
import { IndexNativeWallets1799500000114 } from './migrations/index-native-wallets.migration.js';
import { IndexOwnerLinks1799100000001 } from './migrations/index-owner-links.migration.js';
import { IndexTransfers1796400000001 } from './migrations/index-transfers.migration.js';
import { TracePayments1796300000001 } from './migrations/trace-payments.migration.js';
import { RememberEmptyWallets1799100000000 } from './migrations/remember-empty-wallets.migration.js';
import { SeeProjections1795210000001 } from './migrations/see-projections.migration.js';
import { LimitUnfundedPayments1799100000000 } from './migrations/limit-unfunded-payments.migration.js';
import { ProjectCountryRules1799000000010 } from './migrations/project-country-rules.migration.js';
import { ProjectOrganisations1797500000000 } from './migrations/project-organisations.migration.js';
import { OrganisationEntity } from './organisation.entity.js';
import { PublishSenders1799200000000 } from './migrations/publish-senders.migration.js';
import { SeparateParties1799500000040 } from './migrations/separate-parties.migration.js';
import { SetBlocksAside1799500000001 } from './migrations/set-blocks-aside.migration.js';
import { SumSmallDeposits1799500000000 } from './migrations/sum-small-deposits.migration.js';
import { SearchNativeMoney1799900000146 } from './migrations/search-native-money.migration.js';
import { ScreenSenders1797700000001 } from './migrations/screen-senders.migration.js';
import { ShareUnfundedPayments1799300000000 } from './migrations/share-unfunded-payments.migration.js';
import { VerifyOwners1797600000000 } from './migrations/verify-owners.migration.js';
import { WitnessBlocks1799900000040 } from './migrations/witness-blocks.migration.js';
import { WitnessDeposits1799800000081 } from './migrations/witness-deposits.migration.js';
import { MarkJudgedStates1799300000051 } from './migrations/mark-judged-states.migration.js';
import { FreezeTokens1799300000032 } from './migrations/freeze-tokens.migration.js';
import { MarkHeldFunds1799400000000 } from './migrations/mark-held-funds.migration.js';
import { MarkUnreadWallets1799800000120 } from './migrations/mark-unread-wallets.migration.js';
import { NameDepositsByPayment1799900000220 } from './migrations/name-deposits-by-payment.migration.js';
import { CompareEndedWallets1799900000260 } from './migrations/compare-ended-wallets.migration.js';
import { RateVenues1799900000280 } from './migrations/rate-venues.migration.js';
import { ReadBlocksApart1799900000250 } from './migrations/read-blocks-apart.migration.js';
import { ReadBlocksTwice1799900000240 } from './migrations/read-blocks-twice.migration.js';
import { ShareProviderTokens1799900000316 } from './migrations/share-provider-tokens.migration.js';
import { TakeTurns1799900000210 } from './migrations/take-turns.migration.js';
import { RecordTaints1799200000002 } from './migrations/record-taints.migration.js';
import { RecordTimelines1799000000300 } from './migrations/record-timelines.migration.js';
import { TellModes1799200000003 } from './migrations/tell-modes.migration.js';
import { OmittedEntriesEntity } from './omitted-entries.entity.js';
import { OwnerLinkEntity } from './owner-link.entity.js';
import { OwnerVerificationEntity } from './owner-verification.entity.js';
import { PaymentEntity } from './payment.entity.js';
import { ProviderCallbackEntity } from './provider-callback.entity.js';
import { ProviderTokenEntity } from './provider-token.entity.js';
import { ScannedBlockEntity } from './scanned-block.entity.js';
import { SenderScreeningEntity } from './sender-screening.entity.js';
import { TimelineEntryEntity } from './timeline-entry.entity.js';
import { VenueRatingEntity } from './venue-rating.entity.js';
import { WatchedWalletEntity } from './watched-wallet.entity.js';
import { WithdrawalEntity } from './withdrawal.entity.js';

/** Everything in the service's schema. */
export const entities: EntityClass[] = [
  ...messagingEntities,
  ...idempotencyEntities,
  ...transactionEntities,
  ...screeningEntities,
  PaymentEntity,
  LegEntity,
  DepositEntity,
  WatchedWalletEntity,
  WithdrawalEntity,
  CheckoutEntity,
  ProviderCallbackEntity,
  ProviderTokenEntity,
  ChainCursorEntity,
  ScannedBlockEntity,
  OwnerVerificationEntity,
  OwnerLinkEntity,
  SenderScreeningEntity,
  EmptyWalletEntity,
  TimelineEntryEntity,
  OmittedEntriesEntity,
  VenueRatingEntity,
  AssetEntity,
  OrganisationEntity,
  CountryRulesEntity,
  SwitchesEntity,
  priceEntity({ version: 'bigint', usd: 'numeric' }),
];

export const migrations: MigrationClass[] = [
  ...messagingMigrations,
  ...idempotencyMigrations,
  ...transactionMigrations,
  CreatePayments1795200000000,
  SeeProjections1795210000001,
  TracePayments1796300000001,
  CrossChains1796400000000,
  IndexTransfers1796400000001,
  ProjectOrganisations1797500000000,
  VerifyOwners1797600000000,
  ProjectCountryRules1799000000010,
  ...screeningMigrations,
  ScreenSenders1797700000001,
  IndexHistory1797900000000,
  RememberEmptyWallets1799100000000,
  IndexOwnerLinks1799100000001,
  RecordTimelines1799000000300,
  LimitUnfundedPayments1799100000000,
  PublishSenders1799200000000,
  RecordTaints1799200000002,
  TellModes1799200000003,
  ShareUnfundedPayments1799300000000,
  FreezeTokens1799300000032,
  MarkJudgedStates1799300000051,
  MarkHeldFunds1799400000000,
  SumSmallDeposits1799500000000,
  SetBlocksAside1799500000001,
  SeparateParties1799500000040,
  IndexNativeWallets1799500000114,
  ProjectSwitches1799700000000,
  WitnessDeposits1799800000081,
  MarkUnreadWallets1799800000120,
  WitnessBlocks1799900000040,
  SearchNativeMoney1799900000146,
  TakeTurns1799900000210,
  NameDepositsByPayment1799900000220,
  ReadBlocksTwice1799900000240,
  ReadBlocksApart1799900000250,
  CompareEndedWallets1799900000260,
  RateVenues1799900000280,
  ShareProviderTokens1799900000316,
];
