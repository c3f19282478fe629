// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {CctpAdapter, CctpChain} from "../contracts/CctpAdapter.sol";
import {ITokenMessengerV2} from "../contracts/interfaces/ITokenMessengerV2.sol";
import {BridgeRequest} from "../contracts/types/BridgeRequest.sol";
import {Declaration, Leg} from "../contracts/types/Declaration.sol";
import {Fixture} from "./support/Fixture.sol";
import {BurnableToken, TokenMessenger} from "./support/TokenMessenger.sol";

contract CctpAdapterTest is Fixture {
    uint256 private constant BASE = 8453;
    uint32 private constant CONFIRMED = 1000;

    BurnableToken private usdc;
    address private remote = makeAddr("usdc of the other chain");
    TokenMessenger private messenger;
    CctpAdapter private adapter;

    function setUp() public override {
        super.setUp();
        usdc = new BurnableToken();
        messenger = new TokenMessenger();
        CctpChain[] memory chains = new CctpChain[](2);
        chains[0] = CctpChain(block.chainid, 0, address(usdc));
        chains[1] = CctpChain(BASE, 6, remote);
        adapter = new CctpAdapter(messenger, CONFIRMED, chains);
    }

    function test_reportsTheDomainsOfCctp() public view {
        assertEq(address(adapter.messenger()), address(messenger));
        assertEq(adapter.minFinalityThreshold(), CONFIRMED);
        assertEq(adapter.domainOf(BASE), 6);
        assertEq(adapter.tokenOf(BASE), remote);
        assertEq(adapter.tokenOf(block.chainid), address(usdc));
    }

    /// Selector of the deployed messenger: it covers name and types.
    function test_callsTheMessengersOwnFunction() public pure {
        assertEq(ITokenMessengerV2.depositForBurn.selector, bytes4(0x8e0250ee));
    }

    function test_theLastLegPaysTheMintedAmount() public {
        BurnableToken minted = new BurnableToken();
        vm.etch(remote, address(minted).code);
        Declaration memory declaration = bridgingOf(100, 95);
        declaration.legs[1].maxInput = type(uint256).max;
        declaration.legs[1].outputToken = remote;
        declaration.legs[1].minOutput = 95;
        funded(declaration, 100);
        execute(declaration, 100, noFees(), noCalls());

        // Same address on the other chain, where no leg was executed yet.
        address wallet = addressOf(declaration);
        vm.chainId(BASE);
        vm.store(wallet, bytes32(0), bytes32(0));
        BurnableToken(remote).mint(wallet, 95);
        executeLeg(declaration, 1, 95, noFees(), noCalls());
        assertEq(BurnableToken(remote).balanceOf(destination), 95);
    }

    function testFuzz_aWalletsTokensAreBurntForItsAddressThere(uint128 amount, uint128 minimum) public {
        amount = uint128(bound(amount, 1, type(uint128).max));
        minimum = uint128(bound(minimum, 1, amount));
        Declaration memory declaration = bridgingOf(amount, minimum);
        address wallet = funded(declaration, amount);
        vm.expectEmit(address(messenger));
        emit TokenMessenger.DepositForBurn(
            address(usdc),
            amount,
            address(adapter),
            bytes32(uint256(uint160(wallet))),
            6,
            bytes32(uint256(uint160(address(messenger)))),
            bytes32(0),
            amount - minimum,
            CONFIRMED,
            ""
        );
        execute(declaration, amount, noFees(), noCalls());
        assertEq(usdc.totalSupply(), 0);
        assertEq(usdc.allowance(wallet, address(adapter)), 0);
        assertEq(usdc.allowance(address(adapter), address(messenger)), 0);
    }

    function test_refusesTokensThatCctpDoesNotBridge() public {
        BridgeRequest memory request = requesting();
        request.token = address(input);
        vm.expectRevert(CctpAdapter.UnsupportedRoute.selector);
        adapter.bridge(request);
        request = requesting();
        request.destinationToken = relayer;
        vm.expectRevert(CctpAdapter.UnsupportedRoute.selector);
        adapter.bridge(request);
        request = requesting();
        request.destinationChainId = 10;
        request.destinationToken = address(0);
        vm.expectRevert(CctpAdapter.UnsupportedRoute.selector);
        adapter.bridge(request);
    }

    function test_refusesAMinimumAboveTheAmount() public {
        BridgeRequest memory request = requesting();
        request.minimum = request.amount + 1;
        vm.expectRevert(CctpAdapter.MinimumAboveAmount.selector);
        adapter.bridge(request);
    }

    function test_refusesToGiveEverythingAsAFee() public {
        Declaration memory declaration = bridgingOf(100, 0);
        funded(declaration, 100);
        vm.expectRevert("Max fee must be less than amount");
        execute(declaration, 100, noFees(), noCalls());
    }

    function requesting() private view returns (BridgeRequest memory) {
        return BridgeRequest(address(usdc), 100, BASE, remote, 99, owner);
    }

    function bridgingOf(uint256 amount, uint256 minimum) private returns (Declaration memory declaration) {
        declaration = transferOf(address(usdc), amount, amount);
        Leg memory leg = declaration.legs[0];
        declaration.legs = new Leg[](2);
        declaration.legs[0] = leg;
        declaration.legs[0].bridgeAdapter = address(adapter);
        declaration.legs[0].minBridged = minimum;
        declaration.legs[1].chainId = BASE;
        declaration.legs[1].inputToken = remote;
    }
}
