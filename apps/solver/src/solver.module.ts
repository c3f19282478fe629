import { ChainModule } from '@bascule/chain';
import { PersistenceModule } from '@bascule/persistence';
import { TransactionsModule } from '@bascule/transactions';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ROUTES, routesOf } from './assets/route.js';
import type { Route } from './assets/route.js';
import { ClaimService } from './claims/claim.service.js';
import { ControlController } from './control/control.controller.js';
import { SolverBehaviourService } from './behaviour/solver-behaviour.service.js';
import { OrderCostsService } from './costs/order-costs.service.js';
import { FillService } from './fills/fill.service.js';
import { AllowanceWorker } from './inventory/allowance.worker.js';
import { InventoryService } from './inventory/inventory.service.js';
import { OrderRepository } from './orders/order.repository.js';
import { ScanLagService } from './orders/scan-lag.service.js';
import { OrderScanWorker } from './processing/order-scan.worker.js';
import { OrderSettlementsService } from './processing/order-settlements.service.js';
import { OrderWorker } from './processing/order.worker.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { QuoteService } from './quotes/quote.service.js';
import { QuotesController } from './quotes/quotes.controller.js';
import { SOLVER_SETTINGS } from './settings/solver-settings.js';
import type { SolverConfig } from './config/solver.config.js';
import { SolverMetricsService } from './metrics/solver-metrics.service.js';

const configuredRoutes = ({ assets, chains, feeBps }: SolverConfig): Route[] =>
  routesOf(
    assets,
    chains.chains.map(({ definition }) => definition),
    feeBps,
  );

@Module({})
export class SolverModule {
  static register(config: SolverConfig): DynamicModule {
    return {
      module: SolverModule,
      imports: [
        PersistenceModule.register({
          database: config.database,
          entities,
          migrations,
        }),
        ChainModule.register(config.chains),
        TransactionsModule.register({
          keys: [config.key],
          retiredKeys: config.retiredKeys,
          signersConfig: config,
          replaceAfterMs: config.transactionReplaceAfterMs,
          maxGas: config.transactionMaxGas,
        }),
      ],
      controllers: [QuotesController, ControlController],
      providers: [
        { provide: SOLVER_SETTINGS, useValue: config },
        { provide: ROUTES, useFactory: () => configuredRoutes(config) },
        SolverBehaviourService,
        SolverMetricsService,
        InventoryService,
        QuoteService,
        AllowanceWorker,
        OrderRepository,
        ScanLagService,
        OrderCostsService,
        FillService,
        ClaimService,
        OrderWorker,
        OrderScanWorker,
        OrderSettlementsService,
      ],
    };
  }
}
