// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {OneTimeWalletFactory} from "../contracts/OneTimeWalletFactory.sol";
import {IOneTimeWalletFactory} from "../contracts/interfaces/IOneTimeWalletFactory.sol";
import {Fixture} from "./support/Fixture.sol";

contract OneTimeWalletFactoryTest is Fixture {
    function testFuzz_deploysWhereItPredicted(bytes32 hash, address anyone) public {
        address predicted = factory.predict(hash);
        assertEq(predicted.code.length, 0);

        vm.expectEmit(address(factory));
        emit IOneTimeWalletFactory.WalletDeployed(predicted, hash);
        vm.prank(anyone);
        assertEq(factory.deploy(hash), predicted);

        assertEq(OneTimeWallet(payable(predicted)).declarationHash(), hash);
    }

    function test_deployingTwiceReturnsTheSameWalletWithoutAnEvent() public {
        address first = factory.deploy("hash");
        vm.recordLogs();
        assertEq(factory.deploy("hash"), first);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function testFuzz_declarationsHaveWalletsOfTheirOwn(bytes32 a, bytes32 b) public view {
        vm.assume(a != b);
        assertNotEq(factory.predict(a), factory.predict(b));
    }

    function test_factoriesHaveWalletsOfTheirOwn() public {
        assertNotEq(new OneTimeWalletFactory(converter, runners).predict("hash"), factory.predict("hash"));
    }

    function test_theAddressDoesNotDependOnTheChain() public {
        address here = factory.predict("hash");
        vm.chainId(4242);
        assertEq(factory.predict("hash"), here);
        assertEq(factory.deploy("hash"), here);
    }

    function test_theImplementationReportsFactoryAndConverter() public view {
        OneTimeWallet implementation = OneTimeWallet(payable(factory.implementation()));
        assertEq(implementation.factory(), address(factory));
        assertEq(address(implementation.converter()), address(converter));
    }

    function test_fundsSentBeforeTheDeploymentStay() public {
        address wallet = factory.predict("hash");
        vm.deal(wallet, 1 ether);
        factory.deploy("hash");
        assertEq(wallet.balance, 1 ether);
    }

    function test_aDeployedWalletTakesNativeCurrency() public {
        address wallet = factory.deploy("hash");
        vm.deal(address(this), 1 ether);
        (bool success,) = wallet.call{value: 1 ether}("");
        assertTrue(success);
        assertEq(wallet.balance, 1 ether);
    }
}
