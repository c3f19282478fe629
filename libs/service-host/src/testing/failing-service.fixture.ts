// A service one part of which gives up a moment after it has started.
import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { parseConfig, ServiceContext } from '@bascule/process';
import { serverEnv } from '../service/http-config.js';
import { runService } from '../service/run-service.js';

@Injectable()
class DoomedPart implements OnApplicationBootstrap {
  constructor(private readonly context: ServiceContext) {}

  onApplicationBootstrap(): void {
    setTimeout(() => {
      this.context.failure.abort(new Error('the consumer asks for nothing'));
    }, 50);
  }
}

@Module({ providers: [DoomedPart] })
class DoomedModule {}

await runService({
  name: 'doomed',
  parseConfig: (env) => parseConfig(env, serverEnv),
  module: () => DoomedModule,
});
