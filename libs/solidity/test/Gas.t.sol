// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {Call, Declaration} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {Fixture} from "./support/Fixture.sol";

/// @notice What the usual transactions cost as a whole, to receivers that hold nothing yet.
/// forge-config: default.isolate = true
contract GasTest is Fixture {
    function test_transferLegWithDeployment() public {
        Declaration memory declaration = withFee(transferOf(address(input), 100, 95), feeReceiver, 5);
        input.mint(addressOf(declaration), 100);
        execute(declaration, 95, fee(5), noCalls());
        vm.snapshotGasLastCall("transfer leg with fee and deployment");
    }

    function test_transferLeg() public {
        Declaration memory declaration = withFee(transferOf(address(input), 100, 95), feeReceiver, 5);
        input.mint(addressOf(declaration), 100);
        deployed(declaration);
        execute(declaration, 95, fee(5), noCalls());
        vm.snapshotGasLastCall("transfer leg with fee");
    }

    function test_conversionLeg() public {
        Declaration memory declaration = withFee(conversionOf(address(input), 105, address(output), 290), feeReceiver, 5);
        input.mint(addressOf(declaration), 105);
        Call[] memory calls = swapping(address(input), 100, address(output), 300);
        execute(declaration, 100, fee(5), calls);
        vm.snapshotGasLastCall("conversion leg with fee and deployment");
    }

    function test_deployment() public {
        factory.deploy("hash");
        vm.snapshotGasLastCall("deployment");
    }

    function test_withdrawal() public {
        Declaration memory declaration = transferOf(address(input), 100, 95);
        address payable wallet = funded(declaration, 100);
        deployed(declaration);
        ServiceAuthorization memory authorization = authorizing(
            declaration, joined(sending(address(input), owner, 95), sending(address(input), relayer, 5))
        );
        bytes memory signature = signed(authorization, ownerKey);
        OneTimeWallet(wallet).withdraw(declaration, authorization, signature);
        vm.snapshotGasLastCall("withdrawal with fee");
    }
}
