import { ChainModule } from '@bascule/chain';
import { PersistenceModule } from '@bascule/persistence';
import { TransactionsModule } from '@bascule/transactions';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { configuredRoutes, ROUTES } from './assets/routes.config.js';
import { ClaimService } from './claims/claim.service.js';
import { ControlController } from './control/control.controller.js';
import { SolverBehaviour } from './control/solver-behaviour.service.js';
import { FillService } from './fills/fill.service.js';
import { AllowanceWorker } from './inventory/allowance.worker.js';
import { Inventory } from './inventory/inventory.service.js';
import { Orders } from './orders/order.repository.js';
import { OrderScanWorker } from './orders/order-scan.worker.js';
import { OrderSettlements } from './orders/order-settlements.service.js';
import { OrderWorker } from './orders/order.worker.js';
import { solverEntities } from './persistence/entities.js';
import { solverMigrations } from './persistence/migrations/migrations.js';
import { QuoteService } from './quotes/quote.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { SOLVER_CONFIG } from './solver.config.js';
import type { SolverConfig } from './solver.config.js';
import { SolverMetrics } from './solver-metrics.service.js';

const signers = ({ chains, privateKey }: SolverConfig) =>
  Object.fromEntries(chains.chains.map(({ definition }) => [definition.name, { privateKey }]));

@Module({})
export class SolverModule {
  static register(config: SolverConfig): DynamicModule {
    return {
      module: SolverModule,
      imports: [
        PersistenceModule.register({
          database: config.database,
          entities: solverEntities,
          migrations: solverMigrations,
        }),
        ChainModule.register(config.chains),
        TransactionsModule.register({
          signers: signers(config),
          replaceAfterMs: config.transactionReplaceAfterMs,
        }),
      ],
      controllers: [QuotesController, ControlController],
      providers: [
        { provide: SOLVER_CONFIG, useValue: config },
        { provide: ROUTES, useFactory: () => configuredRoutes(config) },
        SolverBehaviour,
        SolverMetrics,
        Inventory,
        QuoteService,
        AllowanceWorker,
        Orders,
        FillService,
        ClaimService,
        OrderWorker,
        OrderScanWorker,
        OrderSettlements,
      ],
    };
  }
}
