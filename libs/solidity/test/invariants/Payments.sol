// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Call, Declaration, Fee, Leg} from "../../contracts/types/Declaration.sol";
import {OneTimeWalletFactory} from "../../contracts/OneTimeWalletFactory.sol";
import {SmartAccount, Vault} from "../support/Actors.sol";
import {BridgeFixture} from "../support/BridgeFixture.sol";
import {FeeOnTransferToken, HookToken, TestToken} from "../support/Tokens.sol";
import {TwoChains} from "./TwoChains.sol";

/// @notice Payments of many shapes, owners and factory versions, with wallets on both chains.
abstract contract Payments is BridgeFixture {
    struct Payment {
        bytes declaration;
        bytes32 hash;
        address payable wallet;
    }

    uint256 internal constant MAX_PAYMENTS = 8;
    address internal constant DEAD = address(0xdead);

    TwoChains internal chains;
    OneTimeWalletFactory internal secondFactory;
    HookToken internal hooked;
    FeeOnTransferToken internal taxed;
    Vault internal vault;
    address[2] internal destinations;
    address[2] internal owners;

    Payment[] internal payments;
    /// @dev From one.
    mapping(address wallet => uint256) internal paymentOf;

    function setUpPayments() internal {
        BridgeFixture.setUp();
        chains = new TwoChains();
        chains.share(address(escrow));
        chains.share(address(oracle));
        secondFactory = new OneTimeWalletFactory(converter);
        hooked = new HookToken();
        taxed = new FeeOnTransferToken();
        vault = new Vault();
        destinations = [makeAddr("first destination"), makeAddr("second destination")];
        owners = [owner, address(new SmartAccount(owner))];
        for (uint256 i = 0; i < 4; i++) {
            tokenOf(i, HERE).mint(address(market), type(uint96).max);
        }
        remote.mint(address(market), type(uint96).max);
    }

    /// @dev Two tokens that do as they are told and two that do not; the other chain has one of its own.
    function tokenOf(uint256 seed, uint256 chainId) internal view returns (TestToken) {
        if (chainId == THERE) return remote;
        return [input, output, TestToken(hooked), TestToken(taxed)][seed % 4];
    }

    function tokenCount(uint256 chainId) internal pure returns (uint256) {
        return chainId == THERE ? 1 : 4;
    }

    function declared(uint256 index) internal view returns (Declaration memory) {
        return abi.decode(payments[index].declaration, (Declaration));
    }

    function factoryOf(Declaration memory declaration) internal pure returns (OneTimeWalletFactory) {
        return OneTimeWalletFactory(declaration.factory);
    }

    function create(uint256 shape, uint256 minimum, uint256 cap) internal {
        address from = shape % 5 == 4 ? NATIVE : address(tokenOf(shape, HERE));
        address to = shape % 3 == 0 ? from : (shape % 7 == 6 ? NATIVE : address(tokenOf(shape / 4, HERE)));
        Declaration memory declaration =
            shape % 4 == 3 ? bridgingOf(from, 1e18, minimum, minimum) : conversionOf(from, 1e18, to, minimum);
        if (shape % 4 == 3) {
            if (shape % 8 == 7) declaration.legs[1].outputToken = NATIVE;
        } else if (shape % 2 == 0 && from != to && to == address(output)) {
            declaration.legs[0].customCalls = depositing(minimum);
        }
        declaration.legs[0].fees = new Fee[](1);
        declaration.legs[0].fees[0] = Fee(feeReceiver, cap);
        declaration.owner = owners[shape / 8 % 2];
        declaration.destination = destinations[shape / 16 % 2];
        declaration.factory = address(shape % 2 == 0 ? factory : secondFactory);
        declaration.expiry = block.timestamp + 1 days;
        bytes32 hash = hashOf(declaration);
        address payable wallet = payable(factoryOf(declaration).predict(hash));
        payments.push(Payment(abi.encode(declaration), hash, wallet));
        paymentOf[wallet] = payments.length;
        chains.share(wallet);
    }

    function depositing(uint256 amount) private view returns (Call[] memory) {
        return joined(
            one(address(output), abi.encodeCall(output.approve, (address(vault), amount)), 0),
            one(address(vault), abi.encodeCall(Vault.deposit, (output, amount, owner)), 0)
        );
    }

    function isCustom(Leg memory leg) internal pure returns (bool) {
        return leg.customCalls.length != 0;
    }
}
