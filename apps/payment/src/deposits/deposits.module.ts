import type { Provider } from '@nestjs/common';
import { ChainScanner } from './chain.scanner.js';
import { Deposits } from './deposit.repository.js';
import { DepositService } from './deposits.service.js';
import { LandingService } from './landings.service.js';
import { ScanCursors } from './scan-cursor.repository.js';
import { ScannersWorker } from './scanners.worker.js';

/** Among the providers of the service's module. */
export const depositProviders: Provider[] = [
  ScanCursors,
  Deposits,
  DepositService,
  LandingService,
  ChainScanner,
  ScannersWorker,
];
