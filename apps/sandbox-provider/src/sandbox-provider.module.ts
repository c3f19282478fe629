import { ChainModule } from '@bascule/chain';
import { PersistenceModule } from '@bascule/persistence';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { OrdersController } from './api/orders.controller.js';
import { QuotesController } from './api/quotes.controller.js';
import { CallbackClient } from './callbacks/callback.client.js';
import { CallbackWorker } from './callbacks/callback.worker.js';
import { CheckoutController } from './checkout/checkout.controller.js';
import { OrderWorker } from './delivery/order.worker.js';
import { TransferService } from './delivery/transfer.service.js';
import { WalletWorker } from './delivery/wallet.worker.js';
import { WalletsService } from './delivery/wallets.service.js';
import { OrderService } from './orders/order.service.js';
import { entities, migrations } from './persistence/persistence.config.js';
import { MarketClient } from './pricing/market.client.js';
import { PricingService } from './pricing/pricing.service.js';
import { ProviderRegistryService } from './providers/provider-registry.service.js';
import type { SandboxProviderConfig } from './config/sandbox-provider.config.js';

@Module({})
export class SandboxProviderModule {
  static register(config: SandboxProviderConfig): DynamicModule {
    return {
      module: SandboxProviderModule,
      imports: [
        PersistenceModule.register({
          database: config.database,
          entities,
          migrations,
        }),
        ChainModule.register(config.chains),
      ],
      controllers: [QuotesController, OrdersController, CheckoutController],
      providers: [
        {
          provide: ProviderRegistryService,
          useFactory: () => new ProviderRegistryService(config.providers, config.publicUrl),
        },
        MarketClient,
        PricingService,
        OrderService,
        WalletsService,
        TransferService,
        OrderWorker,
        WalletWorker,
        CallbackClient,
        CallbackWorker,
      ],
    };
  }
}
