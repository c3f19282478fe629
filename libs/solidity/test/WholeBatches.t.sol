// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {OneTimeWallet} from "../contracts/OneTimeWallet.sol";
import {Declaration} from "../contracts/types/Declaration.sol";
import {ServiceAuthorization} from "../contracts/types/ServiceAuthorization.sol";
import {AccountFactory} from "./support/Actors.sol";
import {Fixture} from "./support/Fixture.sol";
import {IMulticall3, Multicall3} from "./support/Multicall3.sol";

/// @notice Single transactions of anyone, through the Multicall3 of every chain.
contract WholeBatchesTest is Fixture {
    IMulticall3 private multicall3;

    function setUp() public override {
        super.setUp();
        multicall3 = Multicall3.deploy();
    }

    function test_recoversFundsOnAChainWithoutTheWallet() public {
        Declaration memory declaration = transferOf(address(input), 100, 100);
        vm.chainId(4242);
        address wallet = funded(declaration, 100);
        vm.deal(wallet, 1 ether);
        ServiceAuthorization memory authorization =
            authorizing(declaration, joined(sending(address(input), owner, 100), sending(NATIVE, owner, 1 ether)));
        bytes memory signature = signed(authorization, ownerKey);
        assertEq(wallet.code.length, 0);

        IMulticall3.Call3[] memory calls = new IMulticall3.Call3[](2);
        (calls[0], calls[1]) = (deploying(declaration), withdrawing(declaration, authorization, signature));
        vm.prank(relayer);
        multicall3.aggregate3(calls);
        assertEq(input.balanceOf(owner), 100);
        assertEq(owner.balance, 1 ether);
    }

    function test_deploysAnOwnerThatDoesNotExistYet() public {
        AccountFactory accounts = new AccountFactory();
        Declaration memory declaration = transferOf(address(input), 100, 100);
        declaration.owner = accounts.predict(owner);
        funded(declaration, 100);
        ServiceAuthorization memory authorization = authorizing(declaration, sending(address(input), relayer, 100));
        bytes memory signature = signed(authorization, ownerKey);

        IMulticall3.Call3[] memory calls = new IMulticall3.Call3[](3);
        calls[0] = IMulticall3.Call3(address(accounts), true, abi.encodeCall(accounts.deploy, (owner)));
        (calls[1], calls[2]) = (deploying(declaration), withdrawing(declaration, authorization, signature));
        multicall3.aggregate3(calls);
        assertEq(input.balanceOf(relayer), 100);
    }

    function deploying(Declaration memory declaration) private view returns (IMulticall3.Call3 memory) {
        return IMulticall3.Call3(address(factory), false, abi.encodeCall(factory.deploy, (hashOf(declaration))));
    }

    function withdrawing(
        Declaration memory declaration,
        ServiceAuthorization memory authorization,
        bytes memory signature
    ) private view returns (IMulticall3.Call3 memory) {
        bytes memory data = abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signature));
        return IMulticall3.Call3(addressOf(declaration), false, data);
    }
}
