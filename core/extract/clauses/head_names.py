"""The clause types that the shipped heads know, by the names that schemas use."""

from __future__ import annotations

CUAD_YES_NO = {
    "most_favored_nation": "Most Favored Nation",
    "competitive_restriction_exception": "Competitive Restriction Exception",
    "non_compete": "Non-Compete",
    "exclusivity": "Exclusivity",
    "no_solicit_of_customers": "No-Solicit Of Customers",
    "no_solicit_of_employees": "No-Solicit Of Employees",
    "non_disparagement": "Non-Disparagement",
    "termination_for_convenience": "Termination For Convenience",
    "rofr_rofo_rofn": "Rofr/Rofo/Rofn",
    "change_of_control": "Change Of Control",
    "anti_assignment": "Anti-Assignment",
    "revenue_profit_sharing": "Revenue/Profit Sharing",
    "price_restrictions": "Price Restrictions",
    "minimum_commitment": "Minimum Commitment",
    "volume_restriction": "Volume Restriction",
    "ip_ownership_assignment": "Ip Ownership Assignment",
    "joint_ip_ownership": "Joint Ip Ownership",
    "license_grant": "License Grant",
    "non_transferable_license": "Non-Transferable License",
    "affiliate_license_licensor": "Affiliate License-Licensor",
    "affiliate_license_licensee": "Affiliate License-Licensee",
    "unlimited_all_you_can_eat_license": "Unlimited/All-You-Can-Eat-License",
    "irrevocable_or_perpetual_license": "Irrevocable Or Perpetual License",
    "source_code_escrow": "Source Code Escrow",
    "post_termination_services": "Post-Termination Services",
    "audit_rights": "Audit Rights",
    "uncapped_liability": "Uncapped Liability",
    "cap_on_liability": "Cap On Liability",
    "liquidated_damages": "Liquidated Damages",
    "warranty_duration": "Warranty Duration",
    "insurance": "Insurance",
    "covenant_not_to_sue": "Covenant Not To Sue",
    "third_party_beneficiary": "Third Party Beneficiary",
}
"""Head name to category of CUAD: the 33 that are answered by yes or no."""


BY_HEADINGS = {
    "force_majeure": "Force Majeure",
    "confidentiality": "Confidentiality",
    "indemnification": "Indemnification",
    "payment_terms": "Payment Terms",
    "termination": "Termination",
    "limitation_of_liability": "Limitation Of Liability",
    "warranties": "Warranties",
    "dispute_resolution": "Dispute Resolution And Arbitration",
    "data_protection": "Data Protection",
    "entire_agreement": "Entire Agreement",
    "severability": "Severability",
    "amendment_and_waiver": "Amendment And Waiver",
    "intellectual_property": "Intellectual Property",
    "notices": "Notices",
}
"""Clause types outside CUAD, learned from sections whose own heading names the type."""

HEADS = {**CUAD_YES_NO, **BY_HEADINGS}
"""Every head that decides whether a clause is there, with its title."""
